import shortNames from '../../../packs/short-names.json'
import type { LessonType } from '../../contract/lesson-type.ts'

/**
 * Returns the short name of a lesson type, such as ÜL for Überlandfahrt; undefined if its language has none. A type that the school
 * has renamed keeps it only if its letters are in the new name in their order: nobody could read it otherwise.
 */
export function shortTypeName(
  { code, name }: Pick<LessonType, 'code' | 'name'>,
  locale: string,
): string | undefined {
  const names = shortNames as Readonly<Record<string, Readonly<Record<string, string>>>>
  const short = names[locale.split('-')[0] ?? '']?.[code]
  return short !== undefined && isSpeltIn(short, name) ? short : undefined
}

/** Whether the letters of a short name are in the name, in their order. */
function isSpeltIn(short: string, name: string): boolean {
  const letters = [...name.toLowerCase()]
  let from = 0
  return [...short.toLowerCase()].every((letter) => {
    from = letters.indexOf(letter, from) + 1
    return from > 0
  })
}
