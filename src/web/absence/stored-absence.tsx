import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { undoingSet } from '../changes/undoing-set.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import page from '../ui/page.module.css'
import { useSchool } from '../ui/school.tsx'
import { act } from '../ui/undo/steps.ts'
import css from './absence-page.module.css'
import { datesText } from './absence-texts.ts'
import { callsText } from './calls.tsx'
import { DecidedList } from './decided-list.tsx'
import { DECISION_ACTIONS } from './decisions.ts'
import { type AbsenceDraft, type AbsenceDraftProps, withoutStored } from './draft.ts'
import { OpenRequest } from './open-request.tsx'

type StoredAbsenceProps = AbsenceDraftProps & { readonly stored: NonNullable<AbsenceDraft['stored']> }

/** The lessons after the absence was stored: the result of each, and the remaining calls. */
export function StoredAbsence({ cause, draft, stored, onChange }: StoredAbsenceProps) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const { set_id, lessons } = stored
  const calls = callsText(
    lessons.map(({ lesson }) => lesson),
    draft.called,
    t,
  )
  const parts = DECISION_ACTIONS.flatMap((action) => {
    const count = lessons.filter(({ decision }) => decision.action === action).length
    return count > 0 ? t(`absencePage.results.${action}`, { count }) : []
  })
  const takeBack = async () => {
    setBusy(true)
    const known = { client, school, t, all: [], lessons: lessons.map(({ lesson }) => lesson) }
    const undone = t('setUndo.done', { count: lessons.length + 1 })
    const isUndone = await act(undoingSet(known, set_id), {
      message: ({ stands = undone }) => ({
        text: stands,
        label: t('setUndo.step', { count: lessons.length + 1 }),
      }),
      failed: (why) => t('setUndo.failed', { why }),
    })
    if (isUndone) onChange(withoutStored(set_id))
    setBusy(false)
  }
  const leave = () => {
    onChange()
    void navigate({ to: '/' })
  }
  return (
    <div className={css.handling}>
      <div className={css.list}>
        <Notice
          kind="good"
          title={
            parts.length > 0
              ? t('absencePage.summary', { parts: parts.join(', ') })
              : t(`absencePage.of.${cause.kind}.recorded`, {
                  name: cause.name,
                  dates: datesText(draft.period, school),
                })
          }
          isAnswer
        >
          {calls === undefined ? t('absencePage.nobodyToCall') : t('absencePage.toCall')}
        </Notice>
        {cause.instructor && <OpenRequest instructor={cause.instructor} draft={draft} />}
        <DecidedList lessons={lessons} draft={draft} onChange={onChange} />
      </div>
      <div className={css.foot}>
        <span className={page.dimmed} role="status">
          {calls}
        </span>
        <Button icon="undo" isBusy={isBusy} onClick={() => void takeBack()}>
          {t(`absencePage.of.${cause.kind}.undo`)}
        </Button>
        <Button look="primary" disabled={isBusy} onClick={leave}>
          {t('absencePage.done')}
        </Button>
      </div>
    </div>
  )
}
