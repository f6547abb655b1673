import { visibleText } from './pasted.ts'

export type NameParts = { readonly first_name: string; readonly last_name: string }

/** The word in place of a missing name: the only name of a person is the first name. */
export const NO_NAME = '–'

const PARTICLES: ReadonlySet<string> = new Set(
  'af al ap av bin bint d da das de degli dei del della den der di do dos du e el la las le los op ten ter ibn in na of te und van ver vom von y zu zum zur'.split(
    ' ',
  ),
)

/**
 * Splits a name in one text: `Müller, Max`, `Max Müller`, `Anna von der Leyen` and `MÜLLER Max`. Without a comma the last word
 * and the particles before it are the last name, or the first word if `isLastFirst`. A part is empty if there is one name only.
 */
export function namePartsOf(text: string, { isLastFirst }: { readonly isLastFirst: boolean }): NameParts {
  const written = visibleText(text)
  const comma = written.indexOf(',')
  if (comma >= 0)
    return { first_name: written.slice(comma + 1).trim(), last_name: written.slice(0, comma).trim() }
  const words = written.split(/\s+/).filter((word) => word !== '')
  const capitals = words.filter(isInCapitals)
  if (capitals.length > 0 && capitals.length < words.length)
    return {
      first_name: words.filter((word) => !isInCapitals(word)).join(' '),
      last_name: capitals.join(' '),
    }
  const at = isLastFirst ? endOfLastName(words) : startOfLastName(words)
  const [before, after] = [words.slice(0, at).join(' '), words.slice(at).join(' ')]
  return isLastFirst ? { first_name: after, last_name: before } : { first_name: before, last_name: after }
}

function startOfLastName(words: readonly string[]): number {
  const particle = words.findIndex((word, at) => at > 0 && at < words.length - 1 && isParticle(word))
  return particle < 0 ? words.length - 1 : particle
}

function endOfLastName(words: readonly string[]): number {
  const last = words.findIndex((word) => !isParticle(word))
  return last < 0 ? words.length : last + 1
}

function isParticle(word: string): boolean {
  return PARTICLES.has(word.replace(/['’.]/g, ''))
}

/** Whether a word is written in capitals, as registers write last names; initials are not. */
function isInCapitals(word: string): boolean {
  const letters = word.replace(/[^\p{L}]/gu, '')
  return letters.length > 1 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
}
