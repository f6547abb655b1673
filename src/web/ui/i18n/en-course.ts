import type { deCourse } from './de-course.ts'

export const enCourse: typeof deCourse = {
  course: {
    plan: 'Topics in order',
    without: 'Without topics',
    all_one: '{{count}} topic in order',
    all_other: 'All {{count}} topics in order',
    ofClass_one: 'Class {{classes}}: {{count}} topic',
    ofClass_other: 'Class {{classes}}: {{count}} topics',
    topics: 'Topics',
    another: 'Another topic',
    leaveOut: 'Leave out {{name}}',
    fits_one: '{{booked}} of {{count}} topic has a date',
    fits_other: '{{booked}} of {{count}} topics have a date',
    evenings: 'Dates of the course',
    leftOut: 'left out: {{why}}',
    ofStudent: 'Theory topics',
    attended: 'attended on {{day}}',
    planned: 'planned on {{day}}',
    missing: 'missing, no date planned',
    next: 'missing, next on {{day}}',
    count: '{{attended}} attended, {{planned}} planned, {{missing}} missing',
  },
}
