import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { checkTable } from '../support/check-each.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School
let student: string
let instructor: string

beforeAll(async () => {
  school = await aSchool(service())
  student = (await school.student()).id
  instructor = (await school.instructor()).id
})

const JSON_TYPE = { 'content-type': 'application/json' }

describe('a number', () => {
  const patch = (literal: string) =>
    school.client.patch(`/instructors/${instructor}`, `{"max_daily_units":${literal}}`, JSON_TYPE)

  it('is rejected as a unit limit unless it is whole and in range (S78)', () =>
    checkTable(
      ['1e400', '-1e400', '1e308', '9007199254740993', '1e-5', '5.5', '-1', '96.0000001', '97', '"5"', '[5]'],
      async (literal) => {
        const { status, body } = await patch(literal)
        expect([status, body.errors?.[0].pointer]).toEqual([400, '/max_daily_units'])
      },
    ))

  it('has the same value in every JSON notation', () =>
    checkTable(
      [
        ['5.0', 5],
        ['1e1', 10],
        ['-0', 0],
        ['0.5e1', 5],
        ['96.00', 96],
      ],
      async (literal, value) => {
        const { status, body } = await patch(literal)
        expect([status, body.max_daily_units]).toEqual([200, value])
      },
    ))
})

/** Text that has broken other systems. Here it must be plain text. Control characters and marks of direction: `clean-texts.test.ts`. */
const TEXTS = [
  "'; drop table students; --",
  "' or '1'='1",
  "Robert'); DELETE FROM appointments WHERE ('1'='1",
  '1; select pg_sleep(10)',
  "E'\\047",
  '$1 $$ :name ? ??',
  '%s %d %n {0} {{7*7}} #{7*7} <%= 7*7 %>',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '../../../etc/passwd',
  '=HYPERLINK("http://evil.example")',
  'a\\b\\u0000',
  '"quotes" \'and\' `ticks`',
  '\\',
  '{"json":true}',
  'null',
  'true',
  '0',
  '[object Object]',
  'a\u200bb\u200dc\u2060d',
  'مرحبا بالعالم',
  'שלום',
  '你好世界',
  'नमस्ते',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!',
  '👩‍👩‍👧‍👦 🏳️‍🌈 😀',
  'é',
  'e\u0301',
  'ﬁ',
  'İı',
  'ẞß',
  '\u{10ffff}\uffff\ufffe',
]

/** Returns the first characters, without splitting one. */
const shortened = (text: string) => [...text].slice(0, 9).join('').trim()

describe('text', () => {
  it('is stored, listed and returned unchanged (S14, S85)', () =>
    checkTable(TEXTS, async (text) => {
      const created = await school.client.post('/students', {
        first_name: text,
        last_name: text,
        notes: text,
      })
      expect([created.status, created.body]).toEqual([
        201,
        expect.objectContaining({ first_name: text, last_name: text, notes: text }),
      ])
      const changed = await school.client.patch(`/students/${student}`, {
        last_name: text,
        phone: shortened(text),
      })
      expect([changed.status, changed.body.last_name]).toEqual([200, text])
      expect((await school.client.get(`/students/${created.body.id}`)).body).toEqual(created.body)
      const list = (await school.client.get('/students')).body as { id: string }[]
      expect(list.find(({ id }) => id === created.body.id)).toEqual(created.body)
      await school.client.delete(`/students/${created.body.id}`)
    }))

  it('is returned unchanged in vacation notes, lesson titles and problem params (S85)', () =>
    checkTable(TEXTS, async (text) => {
      const note = { start_date: '2026-08-03', end_date: '2026-08-03', note: text }
      const classes = { license_classes: [shortened(text), 'B'], vacations: [note] }
      const { status, body } = await school.client.patch(`/instructors/${instructor}`, classes)
      expect([status, body.vacations]).toEqual([200, [note]])
      const lesson = await school.lesson({
        instructor_id: instructor,
        start_at: '2026-05-04 08:00',
        end_at: '2026-05-04 09:00',
        title: text,
        notes: text,
        status: 'cancelled',
      })
      expect([lesson.title, lesson.notes]).toEqual([text, text])
      await school.client.patch(`/instructors/${instructor}`, { max_daily_units: null })
      const refused = await school.book({
        instructor_id: instructor,
        start_at: '2026-08-03 08:00',
        end_at: '2026-08-03 09:00',
      })
      expect([refused.status, refused.body.params.note]).toEqual([409, text])
    }))

  it('is trimmed, but keeps whitespace between words', async () => {
    const spaces = ' \u00a0\u2003'
    const { body } = await school.client.patch(`/students/${student}`, {
      first_name: `${spaces}\t\nLena ${spaces} Marie\ufeff${spaces}`,
    })
    expect(body.first_name).toBe(`Lena ${spaces} Marie`)
  })
})
