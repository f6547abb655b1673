import type { ConfirmedPart } from '../domain/confirmation.ts'
import type { ChangedFieldNames } from '../domain/printed-record.ts'
import type { ExamRow, PracticeRow, TheoryRow, TrainingRecord } from '../domain/training-record.ts'

type Gearbox = NonNullable<PracticeRow['gearbox']>

export type RecordTexts = {
  readonly title: (licenseClass: string) => string
  readonly all: string
  readonly none: string
  /** The law of a form, by the form's country; undefined for others. */
  readonly law: (form: string | null) => string | undefined
  readonly states: Readonly<Record<TrainingRecord['state'], string>>
  readonly foot: (licenseClass: string) => string
  readonly digest: (digits: string) => string
  readonly page: (page: number, pages: number) => string
  readonly school: string
  readonly responsible: string
  readonly lastName: string
  readonly firstName: string
  readonly address: string
  readonly birthDate: string
  readonly licenseClass: string
  readonly priorClasses: string
  readonly priorClass: (licenseClass: string, since: string | null) => string
  readonly noPriorClasses: string
  readonly instructors: readonly [string, string]
  readonly theory: Readonly<Record<TheoryRow['part'], string>>
  readonly theoryColumns: readonly [string, string, string, string]
  readonly practice: string
  readonly practiceColumns: readonly [string, string, string, string, string, string]
  readonly codes: string
  readonly gearbox: Readonly<Record<Gearbox, string>>
  readonly exams: string
  readonly examColumns: readonly [string, string, string]
  readonly exam: Readonly<Record<ExamRow['kind'], string>>
  readonly passed: (passed: boolean | null) => string
  readonly credits: string
  readonly creditColumns: readonly [string, string, string, string, string]
  readonly totals: string
  readonly totalColumns: readonly [string, string, string, string]
  readonly sum: (minutes: number) => string
  readonly nothing: string
  readonly cooperation: string
  readonly cooperationRoles: Readonly<Record<'commissioning' | 'commissioned', string>>
  readonly unknown: string
  readonly signatures: string
  readonly place: string
  readonly signs: Readonly<Record<'school' | 'student', string>>
  readonly signedAt: (name: string, at: string) => string
  readonly outdated: string
  readonly changedSince: (name: string, at: string) => string
  readonly changed: ChangedFieldNames
  readonly changedRecord: string
  readonly retained: (date: string) => string
  readonly confirmations: Readonly<Record<ConfirmedPart, string>>
  readonly confirmationLaws: Readonly<Record<ConfirmedPart, string>>
  readonly confirmed: Readonly<Record<ConfirmedPart, (licenseClass: string) => string>>
}

const de: RecordTexts = {
  title: (licenseClass) => `Ausbildungsnachweis für Klasse ${licenseClass}`,
  all: 'Ausbildungsnachweise',
  none: 'In diesem Zeitraum gibt es keinen Ausbildungsnachweis.',
  law: (form) =>
    form?.startsWith('DE:') ? 'gemäß § 31 Absatz 1 FahrlG und § 6 Absatz 2 FahrschAusbO' : undefined,
  states: { running: 'Zwischenstand', ended: 'Abgeschlossen', partial: 'Teilnachweis' },
  foot: (licenseClass) => `Klasse ${licenseClass}`,
  digest: (digits) => `Prüfsumme ${digits}`,
  page: (page, pages) => `Seite ${page} von ${pages}`,
  school: 'Fahrschule',
  responsible: 'Verantwortliche Leitung',
  lastName: 'Familienname',
  firstName: 'Vorname',
  address: 'Anschrift',
  birthDate: 'Geburtsdatum',
  licenseClass: 'Beantragte Klasse(n)',
  priorClasses: 'Vorbesitz der Klasse(n)',
  priorClass: (licenseClass, since) => (since === null ? licenseClass : `${licenseClass} (seit ${since})`),
  noPriorClasses: 'keine',
  instructors: ['Fahrlehrer', 'Nr.'],
  theory: { basic: 'Theoretischer Grundunterricht', specific: 'Klassenspezifischer Unterricht' },
  theoryColumns: ['Datum', 'Thema', 'Minuten', 'FL Nr.'],
  practice: 'Praktische Ausbildung',
  practiceColumns: ['Datum', 'Art und Inhalt', 'Beginn', 'Minuten', 'FL Nr.', 'Fahrzeug'],
  codes:
    'Üst: Übungsstunde (i.g.O.: innerhalb, a.g.O.: außerhalb geschlossener Ortschaften) · Gf: Grundfahraufgaben · Uw: Unterweisung am Fahrzeug · UL: Überlandfahrt · AB: Autobahnfahrt · NF: Fahrt bei Dunkelheit · SN: Schaltnachweis',
  gearbox: { manual: 'Schaltgetriebe', automatic: 'Automatik' },
  exams: 'Prüfungen',
  examColumns: ['Datum', 'Prüfung', 'Ergebnis'],
  exam: { theory: 'Theoretische Prüfung', practical: 'Praktische Prüfung' },
  passed: (passed) => (passed === null ? 'offen' : passed ? 'bestanden' : 'nicht bestanden'),
  credits: 'Angerechnete Ausbildung',
  creditColumns: ['Datum', 'Unterricht', 'Fahrschule und Nachweis', 'Einheiten', 'Minuten'],
  totals: 'Umfang der Ausbildung in Einheiten',
  totalColumns: ['Unterricht', 'Vorgeschrieben', 'Geleistet', 'Davon angerechnet'],
  sum: (minutes) => `Summe: ${minutes} Minuten`,
  nothing: 'Kein Eintrag',
  cooperation: 'Kooperation',
  cooperationRoles: {
    commissioning: 'Auftrag gebende Fahrschule',
    commissioned: 'Auftrag nehmende Fahrschule',
  },
  unknown: 'nicht angegeben',
  signatures: 'Unterschriften',
  place: 'Ort, Datum',
  signs: { school: 'Inhaber/in oder verantwortliche Leitung', student: 'Fahrschüler/in' },
  signedAt: (name, at) => `${name}, ${at}`,
  outdated: 'geändert nach Unterschrift',
  changedSince: (name, at) => `Geändert nach der Unterschrift von ${name} am ${at}:`,
  changed: {
    ...{ date: 'Datum', start_time: 'Beginn', minutes: 'Minuten', part: 'Teil', topic: 'Thema' },
    ...{ code: 'Art', content: 'Inhalt', gearbox: 'Getriebe', instructor_id: 'Fahrlehrer' },
    ...{ license_class: 'Klasse', prior_classes: 'Vorbesitz', credits: 'angerechnete Ausbildung' },
    ...{ cooperation: 'Kooperation', added: 'hinzugekommen', removed: 'entfallen' },
  },
  changedRecord: 'Angaben',
  retained: (date) => `Aufzubewahren bis ${date}.`,
  confirmations: {
    theory: 'Bestätigung der theoretischen Ausbildung',
    practice: 'Bestätigung der praktischen Ausbildung',
    gearbox: 'Bestätigung der Ausbildung auf Schaltgetriebe',
  },
  confirmationLaws: {
    theory: 'gemäß § 16 Absatz 3 FeV',
    practice: 'gemäß § 17 Absatz 5 FeV',
    gearbox: 'gemäß § 5a FahrschAusbO',
  },
  confirmed: {
    theory: (licenseClass) =>
      `Die theoretische Ausbildung für Klasse ${licenseClass} ist im vorgeschriebenen Umfang abgeschlossen:`,
    practice: (licenseClass) =>
      `Die praktische Ausbildung für Klasse ${licenseClass} ist im vorgeschriebenen Umfang abgeschlossen:`,
    gearbox: (licenseClass) =>
      `Die Ausbildung auf einem Fahrzeug mit Schaltgetriebe für Klasse ${licenseClass} ist im vorgeschriebenen Umfang abgeschlossen:`,
  },
}

const en: RecordTexts = {
  title: (licenseClass) => `Training record for class ${licenseClass}`,
  all: 'Training records',
  none: 'There is no training record in this period.',
  law: (form) => (form?.startsWith('DE:') ? 'under § 31(1) FahrlG and § 6(2) FahrschAusbO' : undefined),
  states: { running: 'Interim record', ended: 'Completed', partial: 'Partial record' },
  foot: (licenseClass) => `Class ${licenseClass}`,
  digest: (digits) => `Digest ${digits}`,
  page: (page, pages) => `Page ${page} of ${pages}`,
  school: 'Driving school',
  responsible: 'Responsible manager',
  lastName: 'Last name',
  firstName: 'First name',
  address: 'Address',
  birthDate: 'Date of birth',
  licenseClass: 'Class applied for',
  priorClasses: 'Classes already held',
  priorClass: (licenseClass, since) => (since === null ? licenseClass : `${licenseClass} (since ${since})`),
  noPriorClasses: 'none',
  instructors: ['Instructor', 'No.'],
  theory: { basic: 'Basic theory', specific: 'Theory of the class' },
  theoryColumns: ['Date', 'Topic', 'Minutes', 'Instr. no.'],
  practice: 'Practical training',
  practiceColumns: ['Date', 'Kind and content', 'Start', 'Minutes', 'Instr. no.', 'Vehicle'],
  codes:
    'Üst: practice lesson (i.g.O.: in, a.g.O.: out of town) · Gf: basic manoeuvres · Uw: instruction at the vehicle · UL: rural road · AB: motorway · NF: night · SN: manual gearbox',
  gearbox: { manual: 'manual', automatic: 'automatic' },
  exams: 'Tests',
  examColumns: ['Date', 'Test', 'Result'],
  exam: { theory: 'Theory test', practical: 'Practical test' },
  passed: (passed) => (passed === null ? 'open' : passed ? 'passed' : 'failed'),
  credits: 'Training credited',
  creditColumns: ['Date', 'Lessons', 'School and document', 'Units', 'Minutes'],
  totals: 'Extent of the training in units',
  totalColumns: ['Lessons', 'Required', 'Done', 'Credited of these'],
  sum: (minutes) => `Sum: ${minutes} minutes`,
  nothing: 'No entry',
  cooperation: 'Cooperation',
  cooperationRoles: { commissioning: 'Commissioning school', commissioned: 'Commissioned school' },
  unknown: 'not given',
  signatures: 'Signatures',
  place: 'Place, date',
  signs: { school: 'Owner or responsible manager', student: 'Student' },
  signedAt: (name, at) => `${name}, ${at}`,
  outdated: 'changed after signature',
  changedSince: (name, at) => `Changed after the signature of ${name} on ${at}:`,
  changed: {
    ...{ date: 'date', start_time: 'start', minutes: 'minutes', part: 'part', topic: 'topic' },
    ...{ code: 'kind', content: 'content', gearbox: 'gearbox', instructor_id: 'instructor' },
    ...{ license_class: 'class', prior_classes: 'classes already held', credits: 'training credited' },
    ...{ cooperation: 'cooperation', added: 'added', removed: 'removed' },
  },
  changedRecord: 'Details',
  retained: (date) => `To be kept until ${date}.`,
  confirmations: {
    theory: 'Confirmation of theory training',
    practice: 'Confirmation of practical training',
    gearbox: 'Confirmation of manual gearbox training',
  },
  confirmationLaws: {
    theory: 'under § 16(3) FeV',
    practice: 'under § 17(5) FeV',
    gearbox: 'under § 5a FahrschAusbO',
  },
  confirmed: {
    theory: (licenseClass) => `The theory training for class ${licenseClass} is complete:`,
    practice: (licenseClass) => `The practical training for class ${licenseClass} is complete:`,
    gearbox: (licenseClass) =>
      `The training on a vehicle with a manual gearbox for class ${licenseClass} is complete:`,
  },
}

export function recordTextsFor(language: string): RecordTexts {
  return language === 'de' ? de : en
}
