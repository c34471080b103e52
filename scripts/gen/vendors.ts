import { vendors } from '../../libs/providers/src/vendors/index.ts'
import type { Vendor } from '../../libs/providers/src/vendors/vendor.ts'
import { code, page, table } from './markdown.ts'

export function renderVendors(): string {
  const rows = Object.values(vendors)
    .toSorted((a: Vendor, b: Vendor) => a.channelType - b.channelType)
    .map((vendor: Vendor) => [
      String(vendor.channelType),
      vendor.name.zh,
      vendor.name.en,
      code(vendor.baseUrl),
      typeof vendor.formats === 'function' ? 'by model' : vendor.formats.join(', '),
      String(vendor.models.length),
      vendor.isSelectable ? 'yes' : '',
    ])
  return page({
    title: 'Vendors',
    about: 'Declared in `libs/providers/src/vendors`. An empty cell under "speaks": listed, not served yet.',
    parts: [table(['Type', 'Chinese', 'English', 'Base URL', 'Speaks', 'Preset models', 'Selectable'], rows)],
  })
}
