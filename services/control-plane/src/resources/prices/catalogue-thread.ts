import { parentPort, workerData } from 'node:worker_threads'
import { catalogueView, type CatalogueTask } from './catalogue-view.ts'

parentPort?.postMessage(catalogueView(workerData as CatalogueTask)) // catalogue.ts starts this thread
