import type { SetsTexts } from './de-sets.ts'

export const enSets: SetsTexts = {
  setUndo: {
    action: 'Undo all of it',
    subject: 'Undo all of it: {{what}}, {{when}}',
    title_one: 'Undo {{count}} change?',
    title_other: 'Undo {{count}} changes?',
    all: 'Everything that was changed together then will be as it was before.',
    done_one: '{{count}} change undone.',
    done_other: '{{count}} changes undone.',
    partly: '{{done}} of {{count}} changes undone.',
    step_one: 'undo of {{count}} change',
    step_other: 'undo of {{count}} changes',
    failed: 'Not undone. {{why}}',
    already: 'It has been undone already.',
    changed_since: '{{what}} was changed since and stays.',
    in_use: '{{what}} has lessons by now and stays.',
    erased: '{{what}} is erased for good.',
    not_found: '{{what}} stays: the student is deleted.',
    not_undoable: '{{what}} cannot be taken back.',
    rule: '{{what}} no longer fits the timetable and stays.',
    more_one: '{{count}} more change stays.',
    more_other: '{{count}} more changes stay.',
  },
}
