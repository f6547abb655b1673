import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../../contract/student.ts'
import { historyOf } from '../../data/changes.ts'
import { openingBalanceOf, type StoredBalance } from '../../data/opening-balance.ts'
import { Button } from '../../ui/button.tsx'
import layout from '../../ui/layout.module.css'
import { momentText } from '../../ui/moment-text.ts'
import { useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import css from './opening-balance.module.css'
import { OpeningBalanceDialog, OpeningEntries } from './opening-balance-dialog.tsx'

type OpeningBalanceProps = {
  readonly student: Student
  /** Called when the form covers the card, and when it closes. */
  readonly onCovered: (isCovered: boolean) => void
}

/** A student's opening balance, with the form that changes it. */
export function OpeningBalance({ student, onCovered }: OpeningBalanceProps) {
  const { data, error, isError, refetch } = useQuery(openingBalanceOf(student.id))
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  return <Balance student={student} stored={data} onCovered={onCovered} />
}

function Balance({ student, stored, onCovered }: OpeningBalanceProps & { readonly stored: StoredBalance }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<'edit' | 'add'>()
  const show = (next: typeof open) => {
    setOpen(next)
    onCovered(next !== undefined)
  }
  return (
    <div className={css.balance}>
      <p className={css.hint}>{t('opening.hint')}</p>
      {stored.entries.length > 0 && (
        <>
          <OpeningEntries entries={stored.entries} />
          <EnteredBy studentId={student.id} />
        </>
      )}
      <div className={layout.buttons}>
        <Button icon="plus" onClick={() => show('add')}>
          {t('opening.add')}
        </Button>
        {stored.entries.length > 0 && (
          <Button
            icon="edit"
            aria-label={`${t('action.edit')}: ${t('opening.title')}`}
            onClick={() => show('edit')}
          >
            {t('action.edit')}
          </Button>
        )}
      </div>
      {open && (
        <OpeningBalanceDialog
          student={student}
          stored={stored}
          isAdding={open === 'add'}
          onClose={() => show(undefined)}
        />
      )}
    </div>
  )
}

/** Shows the last change of the balance, from the student's history. */
function EnteredBy({ studentId }: { readonly studentId: string }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { data } = useInfiniteQuery(historyOf('student', studentId))
  const change = data?.pages
    .flatMap(({ changes }) => changes)
    .find(({ action, after }) => action === 'changed' && after !== null && 'opening_balance' in after)
  if (!change) return null
  const when = momentText(change.at, school)
  return <p className={css.hint}>{t('opening.enteredBy', { name: change.actor.name, when })}</p>
}
