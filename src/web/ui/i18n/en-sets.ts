import type { SetsTexts } from './de-sets.ts'

export const enSets: SetsTexts = {
  setUndo: {
    action: 'Undo all of it',
    subject: 'Undo all of it: {{what}}, {{when}}',
    title_one: 'Undo {{count}} change?',
    title_other: 'Undo {{count}} changes?',
    all: 'Everything that was changed together will go back to what it was.',
    done_one: '{{count}} change undone.',
    done_other: '{{count}} changes undone.',
    partly: '{{done}} of {{count}} changes undone.',
    step_one: 'undo of {{count}} change',
    step_other: 'undo of {{count}} changes',
    failed: 'Not undone. {{why}}',
    already: 'This has already been undone.',
    changed_since: '{{what}} has changed since and stays.',
    in_use: '{{what}} has lessons by now and stays.',
    erased: '{{what}} is erased for good.',
    not_found: '{{what}} stays: the student is deleted.',
    not_undoable: '{{what}} cannot be undone.',
    rule: '{{what}} no longer fits the timetable and stays.',
    more_one: '{{count}} more change stays.',
    more_other: '{{count}} more changes stay.',
  },
}
