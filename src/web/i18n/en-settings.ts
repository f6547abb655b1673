import type { SettingsTexts } from './de-settings.ts'

export const enSettings: SettingsTexts = {
  settings: {
    school: 'Driving school',
    languageHint: 'Lesson types and classes are named in it.',
    country: 'Country',
    unit: 'One unit',
    location: 'Place of the school',
    locationHint:
      'Latitude and longitude in degrees, as maps give them. They decide from when it is dark enough for night drives. Without a place there are no hints about that.',
    locationFault: 'Latitude and longitude are missing or cannot be read. Example: 53.5511, 9.9937',
    told: 'On the page of the students',
    terms: 'Rules for cancelling',
    newInstructors: 'New instructors: limits and breaks',
    newInstructorsHint: 'Every new instructor starts with these. Nothing changes for the others.',
    newHours: 'New instructors: working hours',
    classes: 'Licence classes',
    classesHint:
      'A class that is not offered cannot be chosen for students and instructors. Those who have it keep it.',
    lessonTypes: 'Lesson types',
    lessonTypesHint:
      'A type that is not offered is left out when you book. Booked lessons and progress stay as they are. Each change is saved at once.',
    offered: 'Offered',
    notOffered: 'Not offered',
    up: '{{name}}: move up',
    down: '{{name}}: move down',
    placed: '{{name}}: place {{place}} of {{count}}',
    place: 'Place',
  },
  /** The kinds of things in the list of changes. */
  vehicle: {
    car: 'Car',
    motorcycle: 'Motorcycle',
    trailer: 'Trailer',
    truck: 'Truck',
    other: 'Other',
    manual: 'Manual',
    automatic: 'Automatic',
    active: 'In use',
    inactive: 'Not in use',
  },
  kinds: {
    appointment: 'Lesson',
    student: 'Student',
    instructor: 'Instructor',
    vehicle: 'Vehicle',
    schedule_request: 'Request',
    user: 'Login',
    tenant: 'School',
    closure: 'Closure',
    lesson_type: 'Lesson type',
    calendar_feed: 'Calendar link',
    student_link: 'Link to the page',
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
