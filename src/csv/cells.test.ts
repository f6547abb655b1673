import { describe, expect, it } from 'vitest'
import { STUDENT_COLUMNS } from '../domain/student-fields.ts'
import { addressInLine, dateOfCell, isRounded, textOfCell, wholeNumberOfCell } from './cells.ts'
import { hasLostLetters, looksWrong } from './letters.ts'
import { STUDENT_FILE_COLUMNS } from './student-columns.ts'
import { decoded, unusualWordsIn } from './text.ts'
import { csvLines, dialectOf } from './writer.ts'

it.each([
  ['Ringstr. 5\n01099 Dresden', 'Ringstr. 5, 01099 Dresden'],
  ['Ringstr. 5,\n01099 Dresden,', 'Ringstr. 5, 01099 Dresden,'],
  ['Ringstr. 5,', 'Ringstr. 5,'],
  [',', ','],
  [' ,\n\n', ','],
])('the address %j is in one line %j', (cell, address) => expect(addressInLine(cell)).toBe(address))

describe('a birthday in a cell', () => {
  it.each([
    ['31.12.2007', '2007-12-31'],
    ['1.2.2008', '2008-02-01'],
    ['1/2/2008', '2008-02-01'],
    ['2008-2-1', '2008-02-01'],
    ['2008-02-01 00:00:00', '2008-02-01'],
    ['2008-02-01T00:00:00', '2008-02-01'],
    ['03.05.2006 00:00:00', '2006-05-03'],
    ['03.05.2006 0:00', '2006-05-03'],
    ['03.05.2006, 00:00 Uhr', '2006-05-03'],
    ['5/13/2006 12:00:00 AM', '5/13/2006 12:00:00 AM'],
    ['13/5/2006 12:00:00 AM', '2006-05-13'],
    ['2006-05-03T00:00:00.000Z', '2006-05-03'],
    ['2006-05-02T22:00:00.000Z', '2006-05-03'],
    ['2006-05-03 00:00:00+02:00', '2006-05-03'],
    ['03.05.2006\u00a0', '2006-05-03'],
    ['03.05.06', '2006-05-03'],
    ['3. Mai 2006', '2006-05-03'],
    ['1.2.98', '1998-02-01'],
    ['31.02.2008', '31.02.2008'],
    ['2008', '2008'],
    ['39479', '39479'],
    ['nie', 'nie'],
  ])('%s is read as %s', (cell, day) =>
    expect(dateOfCell(cell, { kind: 'birth', today: '2026-11-23', timezone: 'Europe/Berlin' })).toBe(day),
  )
})

it.each(['heute', 'Monday'])(
  '%s in a cell stays text, because its date would depend on the day of the import',
  (cell) =>
    expect(dateOfCell(cell, { kind: 'over', today: '2026-11-23', timezone: 'Europe/Berlin' })).toBe(cell),
)

it.each([
  ['12', 12],
  ['12,0', 12],
  ['12.00', 12],
  ['+3', 3],
  ['-1', -1],
  ['1.000', '1.000'],
  ['2,5', '2,5'],
  ['zwei', 'zwei'],
])('a number in a cell: %s is read as %s', (cell, number) => expect(wholeNumberOfCell(cell)).toBe(number))

describe('a text in a cell', () => {
  it.each([
    ["'+49 30", '+49 30'],
    ["'=1", '=1'],
    ["'s Gravenhage", "'s Gravenhage"],
    ["'", "'"],
  ])('%s is read as %s', (cell, text) => expect(textOfCell(cell)).toBe(text))

  it.each(['4,93E+11', '4.93017e+12'])('%s is a rounded number', (cell) => expect(isRounded(cell)).toBe(true))
  it.each(['493017', '+49 30', 'E+11'])('%s is not a rounded number', (cell) =>
    expect(isRounded(cell)).toBe(false),
  )
})

describe('a heading', () => {
  it.each([
    ['Vorname', 'first_name'],
    ['  NACHNAME* ', 'last_name'],
    ['E-Mail-Adresse', 'email'],
    ['geb.', 'birth_date'],
    ['Geb.-Datum', 'birth_date'],
    ['Fuehrerscheinklasse', 'license_class'],
    ['Führerscheinklasse', 'license_class'],
    ['preferred_instructor', 'preferred_instructor'],
    ['Name', 'name'],
    ['Nachname, Vorname', 'name_last_first'],
    ['Vor- und Nachname', 'name'],
    ['Straße', 'address'],
    ['Vorbesitz', 'prior_classes'],
    ['Ehemalige', 'archived'],
    ['Kundennummer', undefined],
    ['', undefined],
  ])('%j maps to the column %s', (heading, column) =>
    expect(STUDENT_FILE_COLUMNS.columnsOf([heading])).toEqual([column]),
  )

  it.each(['de', 'en', 'fr'])('written in %s maps to its own column', (language) => {
    expect(STUDENT_FILE_COLUMNS.columnsOf(STUDENT_FILE_COLUMNS.headings(language))).toEqual(STUDENT_COLUMNS)
  })
})

const pause = async () => {}

it.each([
  ['utf-8', true, Buffer.from('\ufeffü')],
  ['utf-8', true, Buffer.from('ü')],
  ['utf-16le', true, Buffer.from('\ufeffü', 'utf16le')],
  ['utf-16be', true, Buffer.from('\ufeffü', 'utf16le').swap16()],
  ['windows-1252', false, Buffer.from([0xfc])],
] as const)('a text in %s (certain: %s) is decoded', async (encoding, isCertain, bytes) => {
  const found = await decoded(bytes, { country: 'DE', chosen: undefined, pause })
  expect(found).toEqual({ encoding, isCertain, text: 'ü' })
})

/** Writes a text in an encoding of one byte a letter. */
function written(text: string, encoding: string): Buffer {
  const letters = [...new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, at) => at))]
  return Buffer.from([...text].map((letter) => letters.indexOf(letter)))
}

it.each([
  ['DE', 'windows-1252', 'Müller;Groß;Émile;Ångström;Peña;Çelik'],
  ['DE', 'windows-1252', 'O’Connor;René;Ödön'],
  ['DE', 'macintosh', 'Müller;Groß;Jäger;Özdemir'],
  ['DE', 'macintosh', 'Björn;Schröder'],
  ['DE', 'macintosh', 'Groß;Strauß'],
  ['DE', 'macintosh', 'MÜLLER;GRÖßE'],
  ['FR', 'macintosh', 'Hélène;François;Noël;Zoé'],
  ['DE', 'windows-1254', 'Yıldırım;Ayşe;Gökoğlu;Müller'],
  ['DE', 'windows-1254', 'ŞAHİN;IŞIK'],
  ['DE', 'windows-1250', 'Wiśniewski;Łukasz;Dąbrowska;Müller'],
  ['PL', 'windows-1250', 'Wiśniewski;Łukasz;Żółć'],
  ['PL', 'windows-1250', 'Tomasz;Łódź'],
] as const)('in %s a file in %s is recognised by the words %s', async (country, encoding, words) => {
  const bytes = written(`Name\r\n${words.replaceAll(';', '\r\n')}\r\n`, encoding)
  const found = await decoded(bytes, { country, chosen: undefined, pause })
  expect([found.encoding, found.text]).toEqual([encoding, `Name\n${words.replaceAll(';', '\n')}\n`])
})

it('a text is decoded in the chosen encoding, also across pieces', async () => {
  const text = `${'a'.repeat(65_535)}ü\r\n${'b'.repeat(65_533)}\r\nö`
  const found = await decoded(Buffer.from(text), { country: 'DE', chosen: 'utf-8', pause })
  expect(found.text).toBe(text.replaceAll('\r\n', '\n'))
  expect((await decoded(Buffer.from([0x9f]), { country: 'DE', chosen: 'macintosh', pause })).text).toBe('ü')
})

it('the first words with letters beyond ASCII are shown', () => {
  expect(unusualWordsIn('Vorname;Name\nMax;Müller\n"Jörg";Müller')).toEqual(['Müller', 'Jörg'])
})

describe('the letters of a name', () => {
  it.each([
    ['Müller', false],
    ['O’Connor', false],
    ['Müller (geb. Özdemir)', false],
    ['Nguyễn', false],
    ['M¸ller', true],
    ['MŸller', true],
    ['Gro§', true],
    ['JŠger', true],
    ['M\u0081ller', true],
    ['MÃ¼ller', true],
    ['GroÃŸ', true],
  ])('of %s look wrong: %s', (name, isWrong) => {
    expect(looksWrong(name, { encoding: 'windows-1252', isCertain: false })).toBe(isWrong)
  })

  it('are doubted in UTF-8 only if they were read twice or are lost', () => {
    const certain = { encoding: 'utf-8', isCertain: true }
    expect(['MÃ¼ller', 'Åukasz', 'Gro§', 'Þór'].map((name) => looksWrong(name, certain))).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect(['M\ufffdller', 'Müller'].map(hasLostLetters)).toEqual([true, false])
  })
})

it.each(['zwei\nZeilen', 'zwei\rZeilen', 'zwei\r\nZeilen'])('the cell %j is quoted', (cell) => {
  expect(csvLines([['Vogt', cell]], dialectOf('de'))).toBe(`Vogt;"${cell}"\r\n`)
})

it.each([
  ['de', ';'],
  ['de-AT', ';'],
  ['fr', ';'],
  ['pl', ';'],
  ['en', ','],
  ['de-CH', ','],
  ['no locale', ','],
])('a spreadsheet in %s uses the delimiter %s', (locale, delimiter) => {
  expect(dialectOf(locale).delimiter).toBe(delimiter)
})
