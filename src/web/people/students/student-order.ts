import type { ListedStudent, Student } from '../../../contract/student.ts'
import { drivesOf } from '../../../domain/progress.ts'

export const SORTABLE = ['given', 'family', 'class', 'progress', 'phone', 'email'] as const
export type SortColumn = (typeof SORTABLE)[number]

/** The order of the list: the column, and whether it descends. */
export type StudentOrder = { readonly by: SortColumn; readonly isDown: boolean }

export const BY_FIRST_NAME: StudentOrder = { by: 'given', isDown: false }

const KEPT = 'fahrplan.students_order'

/** Returns the order last chosen in this browser. */
export function keptOrder(): StudentOrder {
  const [by, direction] = (localStorage.getItem(KEPT) ?? '').split(' ')
  const column = SORTABLE.find((one) => one === by)
  return column ? { by: column, isDown: direction === 'down' } : BY_FIRST_NAME
}

/** Returns and stores the order after a press on a column; the same column reverses it. */
export function orderAfter({ by, isDown }: StudentOrder, pressed: SortColumn): StudentOrder {
  const next = { by: pressed, isDown: by === pressed && !isDown }
  localStorage.setItem(KEPT, `${next.by} ${next.isDown ? 'down' : 'up'}`)
  return next
}

type Compared = {
  readonly compare: (a: string, b: string) => number
  readonly classCode: (student: Student) => string
  readonly trained: ReadonlyMap<string, Pick<ListedStudent, 'progress'>> | undefined
}

/** Returns the students in order; those without a value are last in either direction. */
export function inStudentOrder(
  students: readonly Student[],
  { by, isDown }: StudentOrder,
  known: Compared,
): readonly Student[] {
  if (by === 'given') return isDown ? students.toReversed() : students
  const keyed = students.map((student) => ({ student, key: keyFor(student, by, known) }))
  const sign = isDown ? -1 : 1
  const sorted = keyed.toSorted((a, b) => {
    if (a.key === undefined || b.key === undefined)
      return Number(a.key === undefined) - Number(b.key === undefined)
    if (typeof a.key === 'number' && typeof b.key === 'number') return sign * (a.key - b.key)
    return sign * known.compare(String(a.key), String(b.key))
  })
  return sorted.map(({ student }) => student)
}

function keyFor(
  student: Student,
  by: Exclude<SortColumn, 'given'>,
  { classCode, trained }: Compared,
): string | number | undefined {
  switch (by) {
    case 'family':
      return `${student.last_name} ${student.first_name}`
    case 'class':
      return classCode(student) || undefined
    case 'progress': {
      const sum = trained?.get(student.id)?.progress
      const drives = sum && drivesOf(sum)
      return drives && drives.required_units > 0 ? drives.done_units / drives.required_units : undefined
    }
    default:
      return student[by] ?? undefined
  }
}
