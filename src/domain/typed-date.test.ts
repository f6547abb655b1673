import { describe, expect, it } from 'vitest'
import { ageOn, birthFaultFor, type DateKind, type TypedDate, typedDate } from './typed-date.ts'

const TODAY = '2026-11-23'

function read(text: string, kind: DateKind = 'coming', notBefore?: string): string {
  return shown(typedDate(text, { kind, today: TODAY, notBefore }))
}

function shown(typed: TypedDate): string {
  return 'date' in typed ? typed.date : [typed.fault, typed.year].filter(Boolean).join(' ')
}

describe('typedDate for a coming date', () => {
  it.each([
    ['01.06.2027', '2027-06-01'],
    ['1.6.2027', '2027-06-01'],
    ['1.6.27', '2027-06-01'],
    ['1.6.', '2027-06-01'],
    ['1.6', '2027-06-01'],
    ['1. 6. 2027', '2027-06-01'],
    ['1..6.2027', '2027-06-01'],
    ['1,6,2027', '2027-06-01'],
    ['1.6.2027.', '2027-06-01'],
    ['1/6/2027', '2027-06-01'],
    ['25/12', '2026-12-25'],
    [' 1-6-2027 ', '2027-06-01'],
    ['1 6 2027', '2027-06-01'],
    ['2027-06-01', '2027-06-01'],
    ['2027-6-1', '2027-06-01'],
    ['2027/06/01', '2027-06-01'],
    ['20270601', '2027-06-01'],
    ['01062027', '2027-06-01'],
    ['010627', '2027-06-01'],
    ['24122026', '2026-12-24'],
    ['24.12.98', '1998-12-24'],
    ['24.12.46', '2046-12-24'],
    ['24.12.47', '1947-12-24'],
    ['29.02.2028', '2028-02-29'],
    ['1. Juni 2027', '2027-06-01'],
    ['1. Juni', '2027-06-01'],
    ['24. Dez.', '2026-12-24'],
    ['3. März 2027', '2027-03-03'],
    ['3 maerz', '2027-03-03'],
    ['7. Jänner', '2027-01-07'],
    ['1 June 2027', '2027-06-01'],
    ['June 1, 2027', '2027-06-01'],
    ['1st June', '2027-06-01'],
    ['Dec 24', '2026-12-24'],
    ['22nd Dec 26', '2026-12-22'],
    ['Mo 21.12.', '2026-12-21'],
    ['Montag, 21.12.2026', '2026-12-21'],
    ['Mon 21 Dec', '2026-12-21'],
    ['heute', '2026-11-23'],
    ['Morgen', '2026-11-24'],
    ['übermorgen', '2026-11-25'],
    ['yesterday', '2026-11-22'],
    ['Tomorrow', '2026-11-24'],
    ['day after tomorrow', '2026-11-25'],
    ['day before yesterday', '2026-11-21'],
    ['Dienstag', '2026-11-24'],
    ['tuesday', '2026-11-24'],
    ['Sonnabend', '2026-11-28'],
    ['Mi.', '2026-11-25'],
    ['Thu', '2026-11-26'],
    ['Montag', '2026-11-30'],
    ['nächsten Montag', '2026-11-30'],
    ['nächsten Donnerstag', '2026-11-26'],
    ['kommenden Do', '2026-11-26'],
    ['next Thursday', '2026-11-26'],
    ['on next Thu.', '2026-11-26'],
    ['this Friday', '2026-11-27'],
    ['diesen Montag', '2026-11-23'],
    ['übernächsten Donnerstag', '2026-12-03'],
    ['letzten Freitag', '2026-11-20'],
    ['last Monday', '2026-11-16'],
    ['in 2 Wochen', '2026-12-07'],
    ['in 2 weeks', '2026-12-07'],
    ['In einer Woche', '2026-11-30'],
    ['in 10 Tagen', '2026-12-03'],
    ['in a week', '2026-11-30'],
    ['in 3 months', '2027-02-23'],
    ['heute in zwei Wochen', '2026-12-07'],
    ['Donnerstag in 2 Wochen', '2026-12-10'],
    ['vor 3 Tagen', '2026-11-20'],
    ['2 weeks ago', '2026-11-09'],
    ['nächste Woche', '2026-11-30'],
    ['next week', '2026-11-30'],
    ['übernächste Woche', '2026-12-07'],
    ['week after next', '2026-12-07'],
    ['nächsten Monat', '2026-12-01'],
    ['KW 50', '2026-12-07'],
    ['kw50', '2026-12-07'],
    ['50. KW', '2026-12-07'],
    ['week 50', '2026-12-07'],
    ['KW 44', '2026-10-26'],
    ['KW 42', '2027-10-18'],
    ['KW 53', '2026-12-28'],
    ['KW 1/2028', '2028-01-03'],
    ['7.1.', '2027-01-07'],
    ['19.11.', '2026-11-19'],
    ['23.10.', '2026-10-23'],
    ['22.10.', '2027-10-22'],
  ])('reads %s as %s', (text, date) => {
    expect(read(text)).toBe(date)
  })

  it.each([
    ['31.9.', 'no_such_day'],
    ['31.11.', 'no_such_day'],
    ['29.2.', 'no_such_day'],
    ['29.02.2027', 'no_such_day'],
    ['31.6.2027', 'no_such_day'],
    ['12/31/2027', 'no_such_day'],
    ['32.1.2027', 'no_such_day'],
    ['0.5.2027', 'no_such_day'],
    ['2027-13-01', 'no_such_day'],
    ['31122199', 'no_such_day'],
    ['31.12.2199', 'unlikely_year'],
    ['Di 21.12.', 'no_such_day'],
    ['1.6.1899', 'unlikely_year'],
    ['31.6.1899', 'no_such_day'],
    ['', 'unreadable'],
    ['1', 'unreadable'],
    ['1.', 'unreadable'],
    ['1.6.2', 'unreadable'],
    ['1.6.202', 'unreadable'],
    ['1.6.20277', 'unreadable'],
    ['25/11/202614.12.', 'unreadable'],
    ['1.6.2027 10:00', 'unreadable'],
    ['5.-6.6.', 'unreadable'],
    ['-3', 'unreadable'],
    ['2412', 'unreadable'],
    ['1O.6.2027', 'unreadable'],
    ['1. Ju', 'unreadable'],
    ['Juni', 'unreadable'],
    ['S', 'unreadable'],
    ['Diensttag', 'unreadable'],
    ['nächsten', 'unreadable'],
    ['nächsten Quatsch', 'unreadable'],
    ['KW 54', 'unreadable'],
    ['KW 53 2027', 'unreadable'],
    ['in Wochen', 'unreadable'],
    ['2027', 'unreadable 2027'],
  ])('rejects %j with %s', (text, fault) => {
    expect(read(text)).toBe(fault)
  })

  it.each([
    ['31.12.', '2026-12-31', '2026-12-31'],
    ['30.12.', '2026-12-31', '2026-12-30'],
    ['24.11.', '2026-11-25', '2026-11-24'],
    ['1.9.', '2026-12-14', '2027-09-01'],
    ['20.1.', '2028-01-10', '2028-01-20'],
    ['2.1.', '2026-12-31', '2027-01-02'],
    ['30.12.2026', '2026-12-31', '2026-12-30'],
    ['Freitag', '2026-12-04', '2026-12-04'],
    ['Freitag', '2026-12-05', '2026-12-11'],
    ['Montag', '2026-11-23', '2026-11-30'],
  ])('reads %s with notBefore %s as %s', (text, notBefore, date) => {
    expect(read(text, 'coming', notBefore)).toBe(date)
  })
})

it.each([
  ['7.1.', '2026-01-07'],
  ['23.11.', '2026-11-23'],
  ['24.11.', '2026-11-24'],
  ['24.12.', '2026-12-24'],
  ['25.12.', '2025-12-25'],
  ['7.1.26', '2026-01-07'],
  ['7.1.27', '1927-01-07'],
  ['Freitag', '2026-11-20'],
  ['Monday', '2026-11-16'],
])('typedDate reads the past date %s as %s', (text, date) => {
  expect(read(text, 'over')).toBe(date)
})

describe('a birthday', () => {
  it.each([
    ['03.05.06', '2006-05-03'],
    ['3.5.2006', '2006-05-03'],
    ['030506', '2006-05-03'],
    ['1.2.98', '1998-02-01'],
    ['23.11.14', '2014-11-23'],
    ['24.11.16', '1916-11-24'],
    ['22.11.15', '2015-11-22'],
    ['1.1.26', '1926-01-01'],
    ['2007', 'unreadable 2007'],
    ['1998', 'unreadable 1998'],
    ['12.4.', 'no_year'],
    ['morgen', 'unreadable'],
    ['Montag', 'unreadable'],
    ['nächste Woche', 'unreadable'],
    ['29.02.2007', 'no_such_day'],
    ['31.2.2008', 'no_such_day'],
    ['12/31/2007', 'no_such_day'],
    ['1.1.1890', 'unlikely_age'],
    ['1.1.2120', 'unlikely_age'],
    ['31.2.1890', 'no_such_day'],
  ])('%s is read as %s', (text, date) => {
    expect(read(text, 'birth')).toBe(date)
  })

  it.each([
    ['2026-11-23', 'unlikely_age'],
    ['2026-11-24', 'in_the_future'],
    ['2014-11-24', 'unlikely_age'],
    ['2014-11-23', undefined],
    ['1915-11-24', undefined],
    ['1915-11-23', 'unlikely_age'],
  ])('on %s has the fault %s', (birth, fault) => {
    expect(birthFaultFor(birth, TODAY)).toBe(fault)
  })

  it('on 29 February makes a person a year older on 1 March', () => {
    expect([ageOn('2008-02-29', '2026-02-28'), ageOn('2008-02-29', '2026-03-01')]).toEqual([17, 18])
  })
})
