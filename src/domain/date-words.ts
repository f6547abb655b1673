/** The names of the months in German and English, without accents; a word of three letters or more may be their beginning. */
const MONTHS = [
  ['januar', 'january', 'janner', 'jaenner'],
  ['februar', 'february', 'feber'],
  ['marz', 'maerz', 'march', 'mrz'],
  ['april'],
  ['mai', 'may'],
  ['juni', 'june'],
  ['juli', 'july'],
  ['august'],
  ['september'],
  ['oktober', 'october'],
  ['november'],
  ['dezember', 'december'],
]

/** The names of the weekdays from Monday on; a word of two letters or more may be their beginning. */
const WEEKDAYS = [
  ['montag', 'monday'],
  ['dienstag', 'tuesday'],
  ['mittwoch', 'wednesday'],
  ['donnerstag', 'thursday'],
  ['freitag', 'friday'],
  ['samstag', 'sonnabend', 'saturday'],
  ['sonntag', 'sunday'],
]

const RELATIVE: Readonly<Record<string, number>> = {
  vorgestern: -2,
  gestern: -1,
  yesterday: -1,
  heute: 0,
  today: 0,
  morgen: 1,
  tomorrow: 1,
  ubermorgen: 2,
  uebermorgen: 2,
}

/** The text in lower case, without accents, with single spaces. */
export function plainWord(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[\s ]+/g, ' ')
    .trim()
}

/** The number of the month that a word names or begins. */
export function monthIn(word: string): number | undefined {
  return placeIn(MONTHS, word, 3)
}

/** The ISO number of the weekday that a word names or begins. */
export function weekdayIn(word: string): number | undefined {
  return placeIn(WEEKDAYS, word, 2)
}

/** The days between today and the day that a word names, such as `tomorrow`. */
export function relativeDaysIn(word: string): number | undefined {
  return Object.hasOwn(RELATIVE, word) ? RELATIVE[word] : undefined
}

/** Counted from 1; undefined if the word begins the names of none or of several. */
function placeIn(names: readonly (readonly string[])[], word: string, shortest: number): number | undefined {
  if (word.length < shortest) return undefined
  const places = names.flatMap((spellings, at) =>
    spellings.some((name) => name.startsWith(word)) ? [at + 1] : [],
  )
  return places.length === 1 ? places[0] : undefined
}
