import { expect, it } from 'vitest'
import { pagesOfPdf } from '../../test/support/pdf-text.ts'
import type { PrintedRecord, PrintedSignature } from '../domain/printed-record.ts'
import { Paper } from './paper.ts'
import { aPracticeRow, aPrintedRecord, aTheoryRow } from './printed-record.test-support.ts'
import { drawRecord, type RecordsDocument } from './record-sheet.ts'

const german: RecordsDocument = {
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  names: { THEORY_BASIC: 'Grundstoff', theory: 'Grundstoff' },
}

async function drawn(records: readonly (PrintedRecord | undefined)[], document = german): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const paper = new Paper({ title: 'Records', language: 'de' }, (bytes) => parts.push(bytes))
  for (const record of records) drawRecord(paper, document, record)
  await paper.close()
  return Buffer.concat(parts)
}

async function pagesFor(record: PrintedRecord | undefined, document = german) {
  return pagesOfPdf(await drawn([record], document))
}

/** Returns the texts that do not occur after the one before them. */
function outOfOrder(page: readonly string[], texts: readonly string[]): readonly string[] {
  let at = -1
  return texts.filter((text) => {
    const next = page.indexOf(text, at + 1)
    if (next > at) at = next
    return next === -1
  })
}

it('has the fields of the German form in its order', async () => {
  const [page = []] = await pagesFor(
    aPrintedRecord({
      theory: [
        aTheoryRow({ topic: 'Risikofaktor Mensch' }),
        aTheoryRow({ part: 'specific', date: '2026-02-11', topic: 'Fahren mit Zügen', instructor_no: 2 }),
      ],
      practice: [aPracticeRow()],
      cooperation: { role: 'commissioned', school: 'Fahrschule Gamma', address: null },
    }),
  )
  const fields = [
    'Ausbildungsnachweis für Klasse B',
    'gemäß § 31 Absatz 1 FahrlG und § 6 Absatz 2 FahrschAusbO',
    ...['Fahrschule', 'Fahrschule Adler', 'Ring 1', '50667 Köln', 'Verantwortliche Leitung', 'Ada Adler'],
    ...['Fahrlehrer', 'Nr.', 'Weiß, Jörg (K-17)', '1', 'Öz, Can', '2'],
    ...['Familienname', 'Müller', 'Vorname', 'Eva', 'Anschrift', 'Weg 2', 'Geburtsdatum', '04.05.2008'],
    ...['Beantragte Klasse(n)', 'B', 'Vorbesitz der Klasse(n)', 'keine'],
    'Theoretischer Grundunterricht',
    ...['Datum', 'Thema', 'Minuten', 'FL Nr.', '04.02.2026', 'Risikofaktor Mensch', '90', '1'],
    'Klassenspezifischer Unterricht',
    ...['Datum', 'Thema', 'Minuten', 'FL Nr.', '11.02.2026', 'Fahren mit Zügen', '90', '2'],
    'Praktische Ausbildung',
    ...['Datum', 'Art und Inhalt', 'Beginn', 'Minuten', 'FL Nr.', 'Fahrzeug'],
    ...['05.03.2026', 'UL – Überholen', '14:30', '90', '1', 'VW Golf, Schaltgetriebe'],
    ...['Kooperation', '☐ Auftrag gebende Fahrschule', '☒ Auftrag nehmende Fahrschule', 'Fahrschule Gamma'],
    ...['Unterschriften', 'Ort, Datum', 'Inhaber/in oder verantwortliche Leitung', 'Fahrschüler/in'],
    'Aufzubewahren bis 31.12.2031.',
  ]
  expect(outOfOrder(page, fields)).toEqual([])
})

it('shows tests, credits and totals after the fields of the form', async () => {
  const [page = []] = await pagesFor(
    aPrintedRecord({
      prior_classes: [
        { license_class: 'AM', since: '2024-01-02' },
        { license_class: 'A1', since: null },
      ],
      exams: [
        { appointment_id: 'a', date: '2026-04-01', kind: 'theory', passed: true },
        { appointment_id: 'b', date: '2026-05-01', kind: 'practical', passed: false },
        { appointment_id: 'c', date: '2026-05-20', kind: 'practical', passed: null },
      ],
      credits: [
        {
          ...{ lesson_type_id: 'theory', units: 4, minutes: 180, date: '2025-12-01' },
          ...{ school: 'Fahrschule Beta', document: 'Nachweis', topics: ['Thema 1', 'Thema 2'] },
        },
      ],
      totals: [
        {
          requirement: 'THEORY_BASIC',
          required_units: 24,
          done_units: 20,
          credited_units: 4,
          block_done: null,
        },
      ],
    }),
  )
  const shown = [
    'AM (seit 02.01.2024), A1',
    ...['01.04.2026', 'Theoretische Prüfung', 'bestanden', '01.05.2026', 'Praktische Prüfung'],
    ...['nicht bestanden', '20.05.2026', 'Praktische Prüfung', 'offen'],
    ...['Angerechnete Ausbildung', '01.12.2025', 'Grundstoff', 'Thema 1, Thema 2'],
    ...['Fahrschule Beta', 'Nachweis', '4', '180'],
    ...['Umfang der Ausbildung in Einheiten', 'Grundstoff', '24', '20', '4'],
  ]
  expect(outOfOrder(page, shown)).toEqual([])
})

it('has name, class, page, digest and state on each of its pages', async () => {
  const practice = Array.from({ length: 100 }, () => aPracticeRow())
  const pages = await pagesFor(aPrintedRecord({ state: 'partial', practice }))
  expect(pages.length).toBeGreaterThanOrEqual(3)
  expect(pages.map((page) => page.slice(-3))).toEqual(
    pages.map((_, index) => [
      `Seite ${index + 1} von ${pages.length}`,
      'Müller, Eva',
      'Klasse B · Prüfsumme 0123456789ab · Teilnachweis',
    ]),
  )
  expect(pages.filter((page) => page.includes('Art und Inhalt'))).toHaveLength(3)
})

it('keeps the note of codes, and the places to sign with their heading, on one page', async () => {
  const name = 'Eva '.repeat(40)
  const at = '2026-06-30T12:00:00.000Z'
  const signatures = [{ as: 'student', name, at, strokes: null, state: 'valid', changes: [] }] as const
  for (let lessons = 0; lessons < 20; lessons += 1) {
    const practice = Array.from({ length: lessons }, () => aPracticeRow())
    const pages = await pagesFor(aPrintedRecord({ practice, signatures }))
    const pageOf = (text: string) => pages.findIndex((page) => page.some((one) => one.startsWith(text)))
    expect([lessons, pageOf('Ort, Datum')]).toEqual([lessons, pageOf('Unterschriften')])
    expect([lessons, pageOf('UL: Überlandfahrt')]).toEqual([lessons, pageOf('Üst:')])
  }
})

it('says that there is no instructor, and writes numbers after an Arabic name from left to right', async () => {
  const [none = []] = await pagesFor(aPrintedRecord({ instructors: [] }))
  expect(outOfOrder(none, ['Fahrlehrer', 'Nr.', 'Kein Eintrag', 'Familienname'])).toEqual([])
  const name = 'محمد'
  const [page = []] = await pagesFor(
    aPrintedRecord({
      instructors: [{ no: 1, instructor_id: 'one', name, number: '12' }],
      signatures: [
        { as: 'student', name, at: '2026-06-30T12:00:00.000Z', strokes: null, state: 'valid', changes: [] },
      ],
    }),
  )
  expect(outOfOrder(page, [' (12)', ', 30.06.2026 14:00'])).toEqual([])
})

it('is neutral without a form, and English for other schools than German ones', async () => {
  const running = aPrintedRecord({ form: null, state: 'running', retained_until: null, prior_classes: null })
  const [german_ = []] = await pagesFor(running)
  expect(german_.join('\n')).not.toMatch(/§|Üst|Aufzubewahren/)
  expect(german_).toContain('Zwischenstand')
  const [page = []] = await pagesFor(running, { ...german, locale: 'pl-PL' })
  expect(page.slice(0, 2)).toEqual(['Training record for class B', 'Interim record'])
  expect(outOfOrder(page, ['Classes already held', 'not given', 'No entry', 'Page 1 of 1'])).toEqual([])
})

it('prints the names of all Europe, with a sign in place of an emoji', async () => {
  const names = [
    'Łukasz Żółć',
    'Öztürk',
    'Παπαδοπούλου',
    'Ковалёва',
    'Ђорђе',
    'Ñandú',
    'محمد علي',
    'Eva 👩‍🚀',
    '',
  ]
  const pages = pagesOfPdf(
    await drawn(
      names.map((last_name) => aPrintedRecord({ student: { ...aPrintedRecord().student, last_name } })),
    ),
  )
  const shown = [...names.slice(0, 6), [...'محمد علي'].reverse().join(''), 'Eva □', '']
  for (const [index, name] of shown.entries())
    expect(pages[index]?.join('')).toContain(`Familienname${name}Vorname`)
})

it('is the same bytes for the same data, dated by its newest change, with embedded fonts', async () => {
  const record = aPrintedRecord({ practice: [aPracticeRow()] })
  const first = await drawn([record])
  expect((await drawn([record])).equals(first)).toBe(true)
  expect(first.toString('latin1')).toContain('/FontFile2')
  expect(first.toString('latin1')).toContain('D:20260630120000Z')
  const later = await drawn([{ ...record, practice: [aPracticeRow({ minutes: 89 })] }])
  expect(later.equals(first)).toBe(false)
})

it('draws handwriting and typed names, and says what was changed after a signature', async () => {
  const signed = (given: Partial<PrintedSignature>): PrintedSignature => ({
    as: 'school',
    name: 'Ada Adler',
    at: '2026-06-30T10:00:00.000Z',
    state: 'valid',
    strokes: null,
    changes: [],
    ...given,
  })
  const strokes = [
    [
      [0, 0, 0],
      [10, 40, 9],
      [20, 0, 20],
    ],
    [[5, 5, 30]],
  ] as const
  const student = { as: 'student', name: 'Eva Müller', state: 'outdated' } as const
  const written = aPrintedRecord({
    signatures: [
      signed({ strokes }),
      signed({ state: 'outdated', at: '2026-07-30T10:00:00.000Z' }),
      signed({ ...student, at: '2026-05-30T10:00:00.000Z' }),
      signed({ ...student, at: '2026-06-29T10:00:00.000Z' }),
    ],
  })
  const [page = []] = await pagesFor(written)
  const shown = [
    ...['Inhaber/in oder verantwortliche Leitung', 'Ada Adler, 30.06.2026 12:00', 'Eva Müller'],
    ...['Fahrschüler/in', 'Eva Müller, 29.06.2026 12:00', 'geändert nach Unterschrift'],
  ]
  expect(outOfOrder(page, shown)).toEqual([])
  expect(page.filter((text) => text === 'geändert nach Unterschrift')).toHaveLength(1)
  const typed = { ...written, signatures: [signed({})] }
  const [typedPage = []] = await pagesFor(typed)
  expect(typedPage.filter((text) => text === 'Ada Adler')).toHaveLength(2)
  const endless = Array.from({ length: 3 }, (_, at) =>
    Array.from({ length: 2000 }, (_, x) => [x, at, x] as const),
  )
  expect(
    await pagesFor({ ...written, signatures: [signed({ strokes: endless }), signed({ strokes: [[]] })] }),
  ).toHaveLength(1)
})

it('lists what was changed after a signature by row', async () => {
  const signed = { name: 'Eva Müller', at: '2026-06-29T10:00:00.000Z', strokes: null } as const
  const changes = [
    { date: '2026-03-05', start_time: '14:30', fields: ['minutes', 'content'] },
    { date: '2026-03-06', start_time: '08:00', fields: ['removed'] },
    { date: null, start_time: null, fields: ['credits'] },
  ] as const
  const record = aPrintedRecord({
    signatures: [
      { ...signed, as: 'school', state: 'valid', changes: [] },
      { ...signed, as: 'student', state: 'outdated', changes },
    ],
  })
  const [page = []] = await pagesFor(record)
  const lines = [
    'Geändert nach der Unterschrift von Eva Müller am 29.06.2026 12:00:',
    ...[
      '05.03.2026 14:30: Minuten, Inhalt',
      '06.03.2026 08:00: entfallen',
      'Angaben: angerechnete Ausbildung',
    ],
  ]
  expect(outOfOrder(page, lines)).toEqual([])
  const [english = []] = await pagesFor(record, { ...german, locale: 'en-GB' })
  expect(english.join('\n')).toMatch(
    /^Changed after the signature of Eva Müller on .*:\n.*: minutes, content\n/m,
  )
  const whole = Array.from({ length: 80 }, () => changes).flat()
  const pages = await pagesFor({
    ...record,
    signatures: [{ ...signed, as: 'school', state: 'outdated', changes: whole }],
  })
  expect(pages.flat().filter((text) => text.endsWith('entfallen'))).toHaveLength(80)
})

it('begins each record of a document on a page with its own number, and dates the document by the newest', async () => {
  const long = Array.from({ length: 60 }, () => aPracticeRow())
  const records = [
    aPrintedRecord({ practice: long, changed_at: '2026-07-01T00:00:00.000Z' }),
    aPrintedRecord({ license_class: 'A' }),
  ]
  const pages = pagesOfPdf(await drawn(records))
  expect(pages.map((page) => page.at(-3))).toEqual([
    'Seite 1 von 3',
    'Seite 2 von 3',
    'Seite 3 von 3',
    'Seite 1 von 1',
  ])
  expect(pages[3]?.[0]).toBe('Ausbildungsnachweis für Klasse A')
  const [none = []] = await pagesFor(undefined)
  expect(none.slice(0, 2)).toEqual([
    'Ausbildungsnachweise',
    'In diesem Zeitraum gibt es keinen Ausbildungsnachweis.',
  ])
})

it.each([
  ['theory', 'Bestätigung der theoretischen Ausbildung', 'gemäß § 16 Absatz 3 FeV'],
  ['practice', 'Bestätigung der praktischen Ausbildung', 'gemäß § 17 Absatz 5 FeV'],
  ['gearbox', 'Bestätigung der Ausbildung auf Schaltgetriebe', 'gemäß § 5a FahrschAusbO'],
] as const)('confirms %s to the test centre', async (part, title, law) => {
  const record = aPrintedRecord({ state: 'running' })
  const [page = []] = await pagesFor(record, { ...german, part })
  expect(outOfOrder(page, [title, law, 'Fahrschule Adler', 'Müller', 'Ort, Datum', 'Seite 1 von 1'])).toEqual(
    [],
  )
  expect(page.join('\n')).not.toMatch(/Zwischenstand|Fahrschüler\/in/)
})
