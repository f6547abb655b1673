import type { Student } from '../../contract/student.ts'

type NamedStudent = Pick<Student, 'id' | 'first_name' | 'last_name' | 'phone'> & {
  /** The birthday in words and the license class, if they are known. */
  readonly born: string | undefined
  readonly license_class: string | undefined
}

export type Namesake = {
  /** The first of birthday, class and phone in which all students of the name differ; all of them if none does. */
  readonly short: string
  readonly full: string
}

/** Returns the texts that tell students of the same name apart, by their ids. */
export function namesakesIn(students: readonly NamedStudent[]): ReadonlyMap<string, Namesake> {
  const keyOf = ({ first_name, last_name }: NamedStudent) => `${first_name} ${last_name}`.toLowerCase()
  const groups = new Map<string, NamedStudent[]>()
  for (const one of students) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  const told = new Map<string, Namesake>()
  for (const group of groups.values()) {
    if (group.length === 1) continue
    const telling = MARKS.find((mark) => new Set(group.map((one) => mark(one) ?? '')).size === group.length)
    for (const one of group) {
      const full = MARKS.flatMap((mark) => mark(one) || []).join(' · ')
      told.set(one.id, { full, short: (telling && (telling(one) || '?')) ?? full })
    }
  }
  return told
}

const MARKS: readonly ((one: NamedStudent) => string | null | undefined)[] = [
  ({ born }) => born,
  ({ license_class }) => license_class,
  ({ phone }) => phone,
]
