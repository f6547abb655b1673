import OWN_NAMES from '../../packs/columns/students.json' with { type: 'json' }
import { STUDENT_COLUMNS, type StudentColumn } from '../domain/student-fields.ts'
import { joinedNotes } from './cells.ts'
import { columnNames } from './column-names.ts'
import type { ColumnTraits, JoinCells } from './lines.ts'

/** The columns with a whole name, in which only a comma says which word is the last name, or its order. */
export const WHOLE_NAMES = ['name', 'name_last_first'] as const
type WholeName = (typeof WHOLE_NAMES)[number]

export type StudentFileColumn = StudentColumn | WholeName

const PARTS = ['first_name', 'last_name'] as const
const POSTAL_CODE = /(?:^|, |\n)\d{4,5}$/

/** Returns a function that joins the parts of an address, such as street, postal code and town. */
function joinedBy(separator: string): JoinCells {
  return (before, cell) => {
    if (before === undefined) return cell
    return `${before}${POSTAL_CODE.test(before) ? ' ' : separator}${cell}`
  }
}

const TRAITS: ColumnTraits<StudentFileColumn> = {
  // Another phone number, such as a mobile one.
  seconds: { phone: 'phone_2' },
  wholes: { name: PARTS, name_last_first: PARTS },
  joined: {
    notes: joinedNotes,
    address: joinedBy('\n'),
    pickup_place: joinedBy(', '),
  },
  names: new Set<StudentFileColumn>([...PARTS, ...WHOLE_NAMES]),
}

export const STUDENT_FILE_COLUMNS = columnNames<StudentFileColumn>(
  [...STUDENT_COLUMNS, ...WHOLE_NAMES],
  OWN_NAMES,
  TRAITS,
)
