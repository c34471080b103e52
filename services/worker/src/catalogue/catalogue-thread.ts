import { parentPort, workerData } from 'node:worker_threads'
import { pricesOfDay, type CatalogueTask } from './prices-of-day.ts'

parentPort?.postMessage(pricesOfDay(workerData as CatalogueTask)) // read-catalogue.ts starts this thread
