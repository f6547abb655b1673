import type { ConfirmedPart } from '../domain/confirmation.ts'
import type { PrintedRecord, PrintedSignature } from '../domain/printed-record.ts'
import { localNow } from '../domain/time-zone.ts'
import type { RecordTotal, TheoryRow } from '../domain/training-record.ts'
import { shownDate, shownTime } from './dates.ts'
import type { Cell, Column, Paper, SignatureBox } from './paper.ts'
import { type RecordTexts, recordTextsFor } from './record-texts.ts'
import { closedName } from './shaping.ts'

/** The facts that all records of a document share. */
export type RecordsDocument = {
  readonly locale: string
  readonly timezone: string
  /** The names of lesson types, by id and by code. */
  readonly names: Readonly<Record<string, string>>
  /** The part to confirm; undefined for whole records. */
  readonly part?: ConfirmedPart
}

type Form = {
  readonly paper: Paper
  readonly texts: RecordTexts
  readonly document: RecordsDocument
  readonly record: PrintedRecord
  readonly day: (date: string | null) => string
}

/** Draws the record of an enrolment, or a confirmation of one of its parts. Undefined if a period has no record. */
export function drawRecord(paper: Paper, document: RecordsDocument, record: PrintedRecord | undefined): void {
  const { locale, part } = document
  const texts = recordTextsFor(new Intl.Locale(locale).language)
  if (!record) {
    paper.begin({ foot: texts.all, page: texts.page })
    paper.title(texts.all)
    paper.text(texts.none)
    return
  }
  const day = (date: string | null) => (date === null ? '' : shownDate(date, locale))
  const form = { paper, texts, document, record, day }
  paper.showsChangeOf(new Date(record.changed_at))
  paper.begin({ foot: footOf(form), page: texts.page })
  if (part) drawConfirmation(form, part)
  else drawWhole(form)
}

function footOf({ texts, record, document }: Form): string {
  const { student, license_class, digest, state } = record
  const facts = [texts.foot(license_class), texts.digest(shortDigest(digest))]
  if (document.part === undefined) facts.push(texts.states[state])
  return `${student.last_name}, ${student.first_name}\n${facts.join(' · ')}`
}

const SHORT_DIGITS = 12

function shortDigest(digest: string): string {
  return digest.slice(digest.indexOf(':') + 1).slice(0, SHORT_DIGITS)
}

/** Draws the fields in the order of the German form, which is the one that is prescribed field by field. */
function drawWhole(form: Form): void {
  const { paper, texts, record, day } = form
  paper.title(texts.title(record.license_class))
  const law = texts.law(record.form)
  if (law) paper.text(law)
  paper.text(texts.states[record.state], 'strong')
  paper.space()
  drawSchool(form)
  drawInstructors(form)
  paper.space()
  drawPerson(form)
  drawTheory(form, 'basic')
  drawTheory(form, 'specific')
  drawPractice(form)
  drawExams(form)
  drawCredits(form)
  drawTotals(form, record.totals)
  drawCooperation(form)
  drawSignatures(form, ['school', 'student'])
  drawChanges(form)
  if (record.retained_until) paper.note(texts.retained(day(record.retained_until)))
}

function drawConfirmation(form: Form, part: ConfirmedPart): void {
  const { paper, texts, record } = form
  paper.title(texts.confirmations[part])
  if (texts.law(record.form)) paper.text(texts.confirmationLaws[part])
  paper.space()
  drawSchool(form)
  drawPerson(form)
  paper.space()
  paper.text(texts.confirmed[part](record.license_class))
  drawTotals(form, record.totals)
  drawSignatures({ ...form, record: { ...record, signatures: [] } }, ['school'])
}

function linesOf(...texts: readonly (string | null)[]): string {
  return texts.filter(Boolean).join('\n')
}

function drawSchool({ paper, texts, record }: Form): void {
  const { name, address, responsible } = record.school
  paper.facts([
    [texts.school, linesOf(name, address)],
    [texts.responsible, responsible ?? texts.unknown],
  ])
}

function drawInstructors({ paper, texts, record }: Form): void {
  const widths = [paper.width - 60, 60]
  const rows = record.instructors.map(({ name, number, no }) => [
    number === null ? name : `${closedName(name)} (${number})`,
    String(no),
  ])
  paper.space()
  paper.table(columnsOf(texts.instructors, widths, [1]), rows.length > 0 ? rows : [[texts.nothing]])
}

function drawPerson({ paper, texts, record, day }: Form): void {
  const { student, prior_classes, license_class } = record
  const prior = prior_classes?.map((one) => texts.priorClass(one.license_class, one.since && day(one.since)))
  paper.facts([
    [texts.lastName, student.last_name],
    [texts.firstName, student.first_name],
    [texts.address, student.address ?? texts.unknown],
    [texts.birthDate, student.birth_date ? day(student.birth_date) : texts.unknown],
    [texts.licenseClass, license_class],
    [texts.priorClasses, prior ? prior.join(', ') || texts.noPriorClasses : texts.unknown],
  ])
}

function drawTheory(form: Form, part: TheoryRow['part']): void {
  const { paper, texts, record, day } = form
  const all = record.theory.filter((row) => row.part === part)
  const rows = all.map((row) => [
    day(row.date),
    row.topic ?? '',
    String(row.minutes),
    String(row.instructor_no),
  ])
  const widths = [70, paper.width - 190, 60, 60]
  drawTable(form, texts.theory[part], columnsOf(texts.theoryColumns, widths, [2, 3]), [
    ...rows,
    ...sumRow(texts, all),
  ])
}

function drawPractice(form: Form): void {
  const { paper, texts, record, day } = form
  const rows = record.practice.map((row) => [
    day(row.date),
    [row.code, row.content].filter(Boolean).join(' – '),
    row.start_time,
    String(row.minutes),
    String(row.instructor_no),
    [row.vehicle, row.gearbox && texts.gearbox[row.gearbox]].filter(Boolean).join(', '),
  ])
  const widths = [60, paper.width - 340, 45, 45, 50, 140]
  const columns = columnsOf(texts.practiceColumns, widths)
  drawTable(form, texts.practice, columns, [...rows, ...sumRow(texts, record.practice)])
  if (texts.law(record.form)) paper.note(texts.codes)
}

function sumRow(
  texts: RecordTexts,
  rows: readonly { readonly minutes: number }[],
): readonly (readonly Cell[])[] {
  if (rows.length === 0) return []
  const minutes = rows.reduce((sum, row) => sum + row.minutes, 0)
  return [['', { text: texts.sum(minutes), isStrong: true }]]
}

function drawExams(form: Form): void {
  const { paper, texts, record, day } = form
  const rows = record.exams.map(({ date, kind, passed }) => [
    day(date),
    texts.exam[kind],
    texts.passed(passed),
  ])
  if (rows.length > 0)
    drawTable(form, texts.exams, columnsOf(texts.examColumns, [70, paper.width - 190, 120]), rows)
}

function drawCredits(form: Form): void {
  const { paper, texts, record, day, document } = form
  const rows = record.credits.map((credit) => [
    day(credit.date),
    linesOf(nameOf(document, credit.lesson_type_id), credit.topics.join(', ')),
    linesOf(credit.school, credit.document),
    String(credit.units),
    credit.minutes === null ? '' : String(credit.minutes),
  ])
  const widths = [60, paper.width - 340, 170, 55, 55]
  if (rows.length > 0) drawTable(form, texts.credits, columnsOf(texts.creditColumns, widths, [3, 4]), rows)
}

function drawTotals(form: Form, totals: readonly RecordTotal[]): void {
  const { paper, texts, document } = form
  const rows = totals.map((total) => [
    nameOf(document, total.requirement),
    String(total.required_units),
    String(total.done_units),
    String(total.credited_units),
  ])
  const columns = columnsOf(texts.totalColumns, [paper.width - 240, 80, 80, 80], [1, 2, 3])
  if (rows.length > 0) drawTable(form, texts.totals, columns, rows)
}

function nameOf({ names }: RecordsDocument, lessonType: string): string {
  return names[lessonType] ?? lessonType
}

function drawCooperation({ paper, texts, record }: Form): void {
  const { cooperation } = record
  paper.heading(texts.cooperation)
  for (const role of ['commissioning', 'commissioned'] as const)
    paper.text(`${cooperation?.role === role ? '☒' : '☐'} ${texts.cooperationRoles[role]}`)
  if (cooperation)
    paper.facts([[texts.school, linesOf(cooperation.school ?? texts.unknown, cooperation.address)]])
}

function drawSignatures(form: Form, signers: readonly PrintedSignature['as'][]): void {
  const { paper, texts } = form
  const place = { strokes: null, typed: '', texts: [texts.place] }
  paper.signatures(texts.signatures, [place, ...signers.map((as) => boxFor(form, as))])
}

function boxFor({ texts, document, record }: Form, as: PrintedSignature['as']): SignatureBox {
  const { timezone, locale } = document
  const signature = shownSignature(record.signatures.filter((one) => one.as === as))
  if (!signature) return { strokes: null, typed: '', texts: [texts.signs[as]] }
  const at = shownTime(localNow(new Date(signature.at), timezone), locale)
  return {
    strokes: signature.strokes,
    typed: signature.name,
    texts: [
      texts.signs[as],
      texts.signedAt(closedName(signature.name), at),
      ...(signature.state === 'outdated' ? [texts.outdated] : []),
    ],
  }
}

/** Draws what has changed since each signature shown, a line for each row. */
function drawChanges({ paper, texts, document, record, day }: Form): void {
  for (const as of ['school', 'student'] as const) {
    const signature = shownSignature(record.signatures.filter((one) => one.as === as))
    if (!signature || signature.changes.length === 0) continue
    const at = shownTime(localNow(new Date(signature.at), document.timezone), document.locale)
    paper.note(texts.changedSince(signature.name, at))
    for (const { date, start_time, fields } of signature.changes) {
      const row = date === null ? texts.changedRecord : `${day(date)} ${start_time}`
      paper.note(`${row}: ${fields.map((field) => texts.changed[field]).join(', ')}`)
    }
    paper.space()
  }
}

/** Returns the newest valid signature, or else the newest. */
function shownSignature(signatures: readonly PrintedSignature[]): PrintedSignature | undefined {
  const newestFirst = signatures.toSorted((a, b) => (a.at < b.at ? 1 : -1))
  return newestFirst.find(({ state }) => state === 'valid') ?? newestFirst[0]
}

function drawTable(
  { paper, texts }: Form,
  heading: string,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): void {
  paper.heading(heading)
  paper.table(columns, rows.length > 0 ? rows : [['', texts.nothing]])
}

function columnsOf(
  headings: readonly string[],
  widths: readonly number[],
  numbers: readonly number[] = [],
): readonly Column[] {
  return headings.map((heading, index) => ({
    heading,
    width: widths[index] ?? 0,
    ...(numbers.includes(index) && { align: 'right' as const }),
  }))
}
