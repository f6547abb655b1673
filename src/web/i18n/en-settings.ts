import type { SettingsTexts } from './de-settings.ts'

export const enSettings: SettingsTexts = {
  settings: {
    school: 'Driving school',
    languageHint: 'Lesson types and classes are named in it.',
    country: 'Country',
    timezone: 'Time zone',
    unit: 'One unit',
    told: 'On the page of the students',
    terms: 'Rules for cancelling',
    newInstructors: 'New instructors: limits and breaks',
    newInstructorsHint: 'Every new instructor starts with these. Nothing changes for the others.',
    newHours: 'New instructors: working hours',
  },
  steps: {
    title: 'How to begin',
    hours: 'Usual working hours',
    instructor: 'First instructor',
    student: 'First student',
    lesson: 'First lesson',
    done: 'done',
  },
}
