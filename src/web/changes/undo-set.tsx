import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Change } from '../../contract/change.ts'
import type { SetUndo } from '../../contract/undo.ts'
import { tryUndo } from '../data/changes.ts'
import { Button } from '../ui/button.tsx'
import { Confirmation } from '../ui/dialogs/confirmation.tsx'
import { momentText } from '../ui/moment-text.ts'
import { useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { act } from '../ui/undo/steps.ts'
import css from './change-entries.module.css'
import { actionText } from './change-texts.ts'
import { staysText } from './set-texts.ts'
import { undoingSet } from './undoing-set.ts'

type UndoSetProps = { readonly change: Change; readonly all: readonly Change[] }

/** Undoes everything that one request changed, after a confirmation with the number of changes. */
export function UndoSet({ change, all }: UndoSetProps) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const [tried, setTried] = useState<SetUndo>()
  const [isBusy, setBusy] = useState(false)
  const known = { client, all, school, t }
  const failed = (why: string) => t('setUndo.failed', { why })
  const ask = async () => {
    setBusy(true)
    try {
      const answer = await tryUndo(change.set_id)
      if (answer.undone.length > 0) setTried(answer)
      else toast({ kind: 'problem', text: failed(staysText(answer, known)) })
    } catch (error) {
      const { why } = await undoingSet(known, change.set_id).explain(error)
      toast({ kind: 'problem', text: failed(why) })
    }
    setBusy(false)
  }
  const undo = async (count: number) => {
    setBusy(true)
    const message = ({ stands = t('setUndo.done', { count }) }) => ({
      text: stands,
      label: t('setUndo.step', { count }),
    })
    await act(undoingSet(known, change.set_id), { message, failed })
    setTried(undefined)
    setBusy(false)
  }
  const label = { what: actionText(change, t), when: momentText(change.at, school) }
  return (
    <>
      <Button
        className={css.restore}
        icon="undo"
        isBusy={isBusy && !tried}
        aria-label={t('setUndo.subject', label)}
        onClick={() => void ask()}
      >
        {t('setUndo.action')}
      </Button>
      {tried && (
        <Confirmation
          title={t('setUndo.title', { count: tried.undone.length })}
          keep={t('action.cancel')}
          act={t('action.undo')}
          isBusy={isBusy}
          error={null}
          onAct={() => void undo(tried.undone.length)}
          onClose={() => setTried(undefined)}
        >
          {tried.refused.length > 0 ? staysText(tried, known) : t('setUndo.all')}
        </Confirmation>
      )}
    </>
  )
}
