import { type FieldList, type NameOf, namesOf } from '../domain/fields.ts'

/** A value's spelling in a file: that of JSON or of the API. */
export type Spelling = 'plain' | 'moment' | 'wall_clock' | 'time_of_day' | 'left'

export const plain = 'plain'
export const moment = 'moment'
export const created = { created_at: moment } as const
export const written = { ...created, updated_at: moment } as const
export const versioned = { ...written, version: plain } as const
export const ofSchool = { tenant_id: plain, id: plain } as const

export function spellingsOf<const List extends FieldList>(
  fields: List,
): Readonly<Record<NameOf<List>, Spelling>> {
  return Object.fromEntries(
    namesOf(fields).map((name) => [name, fields[name]?.kind === 'wall_clock' ? 'wall_clock' : plain]),
  ) as Record<NameOf<List>, Spelling>
}
