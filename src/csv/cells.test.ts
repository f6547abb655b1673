import { describe, expect, it } from 'vitest'
import { STUDENT_COLUMNS } from '../domain/student-fields.ts'
import { dateOfCell, isRounded, textOfCell, wholeNumberOfCell } from './cells.ts'
import { STUDENT_FILE_COLUMNS } from './student-columns.ts'
import { decoded } from './text.ts'
import { csvLines, dialectOf } from './writer.ts'

describe('a birthday in a cell', () => {
  it.each([
    ['31.12.2007', '2007-12-31'],
    ['1.2.2008', '2008-02-01'],
    ['1/2/2008', '2008-02-01'],
    ['2008-2-1', '2008-02-01'],
    ['2008-02-01 00:00:00', '2008-02-01'],
    ['2008-02-01T00:00:00', '2008-02-01'],
    ['03.05.06', '2006-05-03'],
    ['3. Mai 2006', '2006-05-03'],
    ['1.2.98', '1998-02-01'],
    ['31.02.2008', '31.02.2008'],
    ['2008', '2008'],
    ['39479', '39479'],
    ['nie', 'nie'],
  ])('%s is read as %s', (cell, day) =>
    expect(dateOfCell(cell, { kind: 'birth', today: '2026-11-23' })).toBe(day),
  )
})

it.each(['heute', 'Monday'])(
  '%s in a cell stays text, because its date would depend on the day of the import',
  (cell) => expect(dateOfCell(cell, { kind: 'over', today: '2026-11-23' })).toBe(cell),
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
    ['Straße', undefined],
    ['', undefined],
  ])('%j maps to the column %s', (heading, column) =>
    expect(STUDENT_FILE_COLUMNS.columnsOf([heading])).toEqual([column]),
  )

  it.each(['de', 'en', 'fr'])('written in %s maps to its own column', (language) => {
    expect(STUDENT_FILE_COLUMNS.columnsOf(STUDENT_FILE_COLUMNS.headings(language))).toEqual(STUDENT_COLUMNS)
  })
})

it.each([
  ['utf-8', Buffer.from('\ufeffü')],
  ['utf-8', Buffer.from('ü')],
  ['utf-16le', Buffer.from('\ufeffü', 'utf16le')],
  ['utf-16be', Buffer.from('\ufeffü', 'utf16le').swap16()],
  ['windows-1252', Buffer.from([0xfc])],
] as const)('a text in %s is decoded', (encoding, bytes) => {
  expect(decoded(bytes, 'DE')).toEqual({ encoding, text: 'ü' })
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
