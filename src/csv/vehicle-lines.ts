import OWN_NAMES from '../../packs/columns/vehicles.json' with { type: 'json' }
import type { DoubtCode } from '../contract/file-import.ts'
import { flagOfCell, joinedNotes } from './cells.ts'
import { columnNames } from './column-names.ts'
import { type Columns, type DescribedLine, describedLines, type ReadCell } from './lines.ts'
import type { Table } from './table.ts'

export const VEHICLE_COLUMNS = [
  'name',
  'kind',
  'gearbox',
  'license_classes',
  'plate',
  'active',
  'notes',
] as const
export type VehicleColumn = (typeof VEHICLE_COLUMNS)[number]

export const vehicleColumns = columnNames<VehicleColumn>(VEHICLE_COLUMNS, OWN_NAMES, {
  joined: { notes: joinedNotes },
  names: new Set<VehicleColumn>(['name']),
})

const WORDS: Partial<Record<VehicleColumn, Readonly<Record<string, string>>>> = {
  kind: {
    auto: 'car',
    pkw: 'car',
    wagen: 'car',
    motorrad: 'motorcycle',
    kraftrad: 'motorcycle',
    krad: 'motorcycle',
    motorbike: 'motorcycle',
    anhänger: 'trailer',
    lkw: 'truck',
    lastwagen: 'truck',
    lorry: 'truck',
    anderes: 'other',
    sonstiges: 'other',
  },
  gearbox: {
    schaltung: 'manual',
    schaltgetriebe: 'manual',
    schalter: 'manual',
    manuell: 'manual',
    automatik: 'automatic',
    automatikgetriebe: 'automatic',
  },
}

type Reading = {
  readonly columns: Columns<VehicleColumn>
  /** The classes of the school, some of which contain a slash. */
  readonly classes: ReadonlySet<string>
  readonly assumed: ReadonlySet<DoubtCode>
}

export function vehicleLines(table: Table, { columns, classes, assumed }: Reading): Generator<DescribedLine> {
  const read = (column: VehicleColumn, cell: string) => readCell(column, cell, classes)
  return describedLines(table, { ...vehicleColumns.traits, columns, assumed, readCell: read })
}

function readCell(column: VehicleColumn, cell: string, classes: Reading['classes']): ReadCell {
  if (column === 'active') return { field: column, value: flagOfCell(cell) }
  if (column === 'license_classes') return { field: column, value: classesIn(cell, classes) }
  const word = cell.toLowerCase()
  const value = column in WORDS ? (WORDS[column]?.[word] ?? word) : cell
  return { field: column, value }
}

function classesIn(cell: string, known: Reading['classes']): readonly string[] {
  const listed = cell.split(/[,;]/).map((name) => name.trim())
  const names = listed.flatMap((name) =>
    known.has(name) ? name : name.split('/').map((part) => part.trim()),
  )
  return [...new Set(names.filter((name) => name !== ''))]
}
