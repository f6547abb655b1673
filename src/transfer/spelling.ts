import type { TObject, TProperties } from 'typebox'
import { type FieldList, type NameOf, namesOf } from '../domain/fields.ts'

/** A value's spelling in a file: that of JSON or of the API. */
export type Spelling = 'plain' | 'moment' | 'wall_clock' | 'time_of_day' | 'left'

export const plain = 'plain'
export const moment = 'moment'
export const created = { created_at: moment } as const
export const written = { ...created, updated_at: moment } as const
export const versioned = { ...written, version: plain } as const
export const ofSchool = { tenant_id: plain, id: plain } as const

type Stamp = 'id' | 'created_at' | 'updated_at' | 'version'

/** Returns the spellings of a resource that is stored under the names by which it is sent, without those of `versioned`. */
export function plainOf<Properties extends TProperties>({
  properties,
}: TObject<Properties>): Readonly<Record<Exclude<Extract<keyof Properties, string>, Stamp>, 'plain'>> {
  const stamps = new Set(['id', ...Object.keys(versioned)])
  const names = Object.keys(properties).filter((name) => !stamps.has(name))
  return Object.fromEntries(names.map((name) => [name, plain])) as ReturnType<typeof plainOf<Properties>>
}

export function spellingsOf<const List extends FieldList>(
  fields: List,
): Readonly<Record<NameOf<List>, Spelling>> {
  return Object.fromEntries(
    namesOf(fields).map((name) => [name, fields[name]?.kind === 'wall_clock' ? 'wall_clock' : plain]),
  ) as Record<NameOf<List>, Spelling>
}
