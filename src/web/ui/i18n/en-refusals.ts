import type { deRefusalCauses, deRefusals } from './de-refusals.ts'

export const enRefusals: typeof deRefusals = {
  instructor_inactive: '{{instructor}} is no longer active.',
  instructor_busy: '{{instructor}} already has an appointment {{from}}–{{to}}{{who}}.',
  student_busy: '{{student}} already has a lesson {{from}}–{{to}}{{who}}.',
  full_one: 'The one seat is taken.',
  full_other: 'All {{count}} seats are taken.',
  withWhom: ' with {{name}}',
  public_holiday: '{{day}} is a public holiday: {{name}}.',
  school_closed: 'The school is closed on {{day}}{{note}}.',
  instructor_on_vacation: '{{instructor}} is away {{dates}}{{note}}.',
  instructor_busy_elsewhere: '{{instructor}} is busy elsewhere {{dates}}.',
  onDay: 'on {{day}}',
  fromTo: 'from {{first}} to {{last}}',
  outside_availability: 'On {{day}} {{instructor}} works {{windows}}.',
  outside_none: 'On {{day}} {{instructor}} does not work.',
  daily_limit_exceeded:
    'Daily limit: {{booked}} u are booked on {{day}}, {{requested}} u more would exceed the limit of {{limit}} u{{override}}.',
  weekly_limit_exceeded:
    'Weekly limit: {{booked}} u are booked in the week from {{day}}, {{requested}} u more would exceed the limit of {{limit}} u{{override}}.',
  withOverride: ' (override: {{units}} u)',
  break_too_short:
    'Break too short: {{gap}} min to the neighbouring appointment, {{required}} min are required.',
  continuous_minutes_exceeded:
    'That would be {{minutes}} min without a break ({{from}}–{{to}}); {{limit}} min are allowed.',
  too_many_appointments: 'The student already has {{limit}} open lessons. No more are possible.',
  student_archived: 'The student has been put away.',
  vehicle_inactive: 'The vehicle{{vehicle}} is not in use.',
  vehicle_absent: 'The vehicle{{vehicle}} is away at that time.',
  vehicle_busy: 'The vehicle{{vehicle}} is already taken {{from}}–{{to}}.',
}

export const enRefusalCauses: typeof deRefusalCauses = {
  instructor_inactive: 'instructor not active',
  instructor_busy: 'instructor busy',
  full: 'group full',
  student_busy: 'student has an appointment already',
  public_holiday: 'public holiday',
  school_closed: 'school closed',
  instructor_on_vacation: 'instructor away',
  instructor_busy_elsewhere: 'instructor busy elsewhere',
  outside_availability: 'outside working hours',
  daily_limit_exceeded: 'daily limit reached',
  weekly_limit_exceeded: 'weekly limit reached',
  break_too_short: 'break too short',
  continuous_minutes_exceeded: 'too long without a break',
  too_many_appointments: 'too many open appointments',
  student_archived: 'put away',
  vehicle_inactive: 'vehicle not active',
  vehicle_absent: 'vehicle away',
  vehicle_busy: 'vehicle busy',
}
