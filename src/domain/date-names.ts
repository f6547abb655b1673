/** The months in German and English, without accents. At least three letters abbreviate one. */
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

/** The weekdays from Monday on. At least two letters abbreviate one. */
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
  'day after tomorrow': 2,
  'day before yesterday': -2,
}

export const NUMBER_WORDS: Readonly<Record<string, number>> = {
  ...{ a: 1, an: 1, one: 1, ein: 1, eine: 1, einem: 1, einen: 1, einer: 1 },
  ...{ two: 2, zwei: 2, three: 3, drei: 3, four: 4, vier: 4, five: 5, funf: 5, fuenf: 5, six: 6, sechs: 6 },
  ...{ seven: 7, sieben: 7, eight: 8, acht: 8, nine: 9, neun: 9, ten: 10, zehn: 10, twelve: 12, zwolf: 12 },
}

export function plainWord(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[\s ]+/g, ' ')
    .trim()
}

export function monthIn(word: string): number | undefined {
  return placeIn(MONTHS, word, 3)
}

export function weekdayIn(word: string): number | undefined {
  return placeIn(WEEKDAYS, word, 2)
}

/** Returns the number of days from today to a word such as `tomorrow`. */
export function relativeDaysIn(word: string): number | undefined {
  return Object.hasOwn(RELATIVE, word) ? RELATIVE[word] : undefined
}

/** Returns the names of a weekday, from 1 for Monday. */
export function namesOfWeekday(weekday: number): readonly string[] {
  return WEEKDAYS[weekday - 1] ?? []
}

/** Returns the words, such as `tomorrow`, for a day by its distance from today. */
export function relativeNamesOf(days: number): readonly string[] {
  return Object.keys(RELATIVE).filter((name) => RELATIVE[name] === days)
}

function placeIn(names: readonly (readonly string[])[], word: string, shortest: number): number | undefined {
  if (word.length < shortest) return undefined
  const places = names.flatMap((spellings, at) =>
    spellings.some((name) => name.startsWith(word)) ? [at + 1] : [],
  )
  return places.length === 1 ? places[0] : undefined
}
