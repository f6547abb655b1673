import type { RefusalCode } from '../../../domain/refusal.ts'

export const deRefusals = {
  instructor_inactive: '{{instructor}} ist nicht mehr aktiv.',
  instructor_busy: '{{instructor}} hat {{from}}–{{to}} schon einen Termin{{who}}.',
  student_busy: '{{student}} hat {{from}}–{{to}} schon eine Fahrstunde{{who}}.',
  full_one: 'Der eine Platz ist vergeben.',
  full_other: 'Alle {{count}} Plätze sind vergeben.',
  withWhom: ' mit {{name}}',
  public_holiday: 'Am {{day}} ist {{name}}, ein Feiertag.',
  school_closed: 'Am {{day}} ist die Fahrschule geschlossen{{note}}.',
  instructor_on_vacation: '{{instructor}} ist {{dates}} abwesend{{note}}.',
  instructor_busy_elsewhere: '{{instructor}} ist {{dates}} privat belegt.',
  onDay: 'am {{day}}',
  fromTo: 'vom {{first}} bis {{last}}',
  outside_availability: 'Am {{day}} arbeitet {{instructor}} {{windows}}.',
  outside_none: 'Am {{day}} arbeitet {{instructor}} nicht.',
  daily_limit_exceeded:
    'Tagesgrenze: {{booked}} E sind am {{day}} gebucht, {{requested}} E kämen dazu; erlaubt sind {{limit}} E{{override}}.',
  weekly_limit_exceeded:
    'Wochengrenze: {{booked}} E sind in der Woche ab dem {{day}} gebucht, {{requested}} E kämen dazu; erlaubt sind {{limit}} E{{override}}.',
  withOverride: ', mit Ausnahme {{units}} E',
  break_too_short: 'Pause zu kurz: {{gap}} min bis zum Nachbartermin, {{required}} min sind nötig.',
  continuous_minutes_exceeded:
    'Ohne Pause wären es {{minutes}} min ({{from}}–{{to}}); erlaubt sind {{limit}} min.',
  too_many_appointments: 'Der Fahrschüler hat schon {{limit}} offene Termine, mehr sind nicht möglich.',
  student_archived: 'Der Fahrschüler ist abgelegt.',
  vehicle_inactive: 'Das Fahrzeug{{vehicle}} ist nicht im Einsatz.',
  vehicle_absent: 'Das Fahrzeug{{vehicle}} ist zu dieser Zeit nicht da.',
  vehicle_busy: 'Das Fahrzeug{{vehicle}} ist {{from}}–{{to}} schon vergeben.',
}

/** The broken rules in a few words. */
export const deRefusalCauses = {
  instructor_inactive: 'Fahrlehrer nicht aktiv',
  instructor_busy: 'Fahrlehrer belegt',
  full: 'Gruppe voll',
  student_busy: 'Fahrschüler hat schon einen Termin',
  public_holiday: 'Feiertag',
  school_closed: 'Fahrschule geschlossen',
  instructor_on_vacation: 'Fahrlehrer abwesend',
  instructor_busy_elsewhere: 'Fahrlehrer privat belegt',
  outside_availability: 'außerhalb der Arbeitszeiten',
  daily_limit_exceeded: 'Tagesgrenze erreicht',
  weekly_limit_exceeded: 'Wochengrenze erreicht',
  break_too_short: 'Pause zu kurz',
  continuous_minutes_exceeded: 'zu lange ohne Pause',
  too_many_appointments: 'zu viele offene Termine',
  student_archived: 'ehemalig',
  vehicle_inactive: 'Fahrzeug nicht aktiv',
  vehicle_absent: 'Fahrzeug nicht da',
  vehicle_busy: 'Fahrzeug belegt',
} satisfies Readonly<Record<RefusalCode, string>>
