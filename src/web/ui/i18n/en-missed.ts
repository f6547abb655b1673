import type { MissedTexts } from './de-missed.ts'

export const enMissed: MissedTexts = {
  restore: {
    action: 'Restore',
    subject: 'Restore {{what}}',
    done: 'Restored: {{what}}',
    step: 'restored {{what}}',
    failed: 'Not restored: {{what}}. {{why}}',
  },
  unmarked: {
    count_one: '{{count}} lesson without outcome',
    count_other: '{{count}} lessons without outcome',
    word: 'without outcome',
    title: 'Past lessons without outcome',
    hint: 'These lessons of the last 60 days are over and still planned. Untick what did not take place, and mark the rest of the day as done.',
    none: 'Every lesson of the last 60 days has an outcome.',
    mark_one: 'Mark {{count}} as done',
    mark_other: 'Mark {{count}} as done',
    open: 'Show {{what}}',
    marked_one: '{{count}} lesson marked as done',
    marked_other: '{{count}} lessons marked as done',
    partly_one: '{{done}} marked as done, {{count}} not: {{why}}',
    partly_other: '{{done}} marked as done, {{count}} not: {{why}}',
    step_one: 'marked {{count}} lesson as done',
    step_other: 'marked {{count}} lessons as done',
  },
}
