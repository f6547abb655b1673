import type { deLaterLabels } from './de-later-labels.ts'

export const enLaterLabels: typeof deLaterLabels = {
  units: 'Units',
  week: 'Week',
  test: 'Test',
  attempt: 'Attempt',
  missed_kind: 'Reason',
  passed: 'Passed',
  passed_on: 'Passed on',
  days: 'Days',
  last_lesson_on: 'Last lesson',
  exam_on: 'Test on',
  ready_since: 'Ready since',
  source: 'Source',
}
