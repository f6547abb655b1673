import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import page from '../../ui/page.module.css'
import { nameOf, useSchool } from '../../ui/school.tsx'
import { act } from '../../ui/undo/steps.ts'
import css from './absence-page.module.css'
import { datesText } from './absence-texts.ts'
import { callsText } from './calls.tsx'
import { ACTIONS } from './decisions.ts'
import type { Draft } from './draft.ts'
import type { PartProps } from './plan.tsx'
import { SettledList } from './settled-list.tsx'
import { takingBack } from './taking-back.ts'

type StoredAbsenceProps = PartProps & { readonly stored: NonNullable<Draft['stored']> }

/** The lessons after the absence was stored: the result of each, and the remaining calls. */
export function StoredAbsence({ instructor, draft, stored, onChange }: StoredAbsenceProps) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const { set_id, absence, lessons } = stored
  const calls = callsText(
    lessons.map(({ lesson }) => lesson),
    draft.called,
    t,
  )
  const parts = ACTIONS.flatMap((action) => {
    const count = lessons.filter(({ decision }) => decision.action === action).length
    return count > 0 ? t(`away.results.${action}`, { count }) : []
  })
  const takeBack = async () => {
    setBusy(true)
    const context = { client, school, t, lessons: lessons.map(({ lesson }) => lesson) }
    const undone = t('setUndo.done', { count: lessons.length + 1 })
    await act(takingBack(context, set_id, onChange), {
      message: ({ stands = undone }) => ({
        text: stands,
        words: t('setUndo.step', { count: lessons.length + 1 }),
      }),
      failed: (why) => t('setUndo.failed', { why }),
    })
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
              ? t('away.summary', { parts: parts.join(', ') })
              : t('away.recorded', { name: nameOf(instructor), dates: datesText(absence, school) })
          }
          isAnswer
        >
          {calls === undefined ? t('away.nobodyToCall') : t('away.toCall')}
        </Notice>
        <SettledList lessons={lessons} draft={draft} onChange={onChange} />
      </div>
      <div className={css.foot} data-foot>
        <span className={page.dimmed} role="status">
          {calls}
        </span>
        <Button icon="undo" isBusy={isBusy} onClick={() => void takeBack()}>
          {t('away.undo')}
        </Button>
        <Button look="primary" disabled={isBusy} onClick={leave}>
          {t('away.done')}
        </Button>
      </div>
    </div>
  )
}
