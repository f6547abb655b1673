import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Enrolment } from '../../../contract/enrolment.ts'
import type { Student } from '../../../contract/student.ts'
import { historyOf } from '../../data/changes.ts'
import { balanceStore, creditStore, type StoredBalance, type UnitStore } from '../../data/opening-balance.ts'
import { Button } from '../../ui/button.tsx'
import layout from '../../ui/layout.module.css'
import { momentText } from '../../ui/moment-text.ts'
import { useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import css from './opening-balance.module.css'
import { OpeningBalanceDialog, OpeningEntries } from './opening-balance-dialog.tsx'

type OpeningBalanceProps = {
  readonly student: Student
  /** The training that the units belong to; undefined for the current one. */
  readonly enrolment?: Enrolment
  /** Called when the form covers the card, and when it closes. */
  readonly onCovered: (isCovered: boolean) => void
}

/** The units that a student had elsewhere, with the form that changes them. */
export function OpeningBalance(props: OpeningBalanceProps) {
  const store = props.enrolment ? creditStore(props.enrolment.id) : balanceStore(props.student.id)
  const { data, error, isError, refetch } = useQuery(store.query)
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  return <Balance {...props} store={store} stored={data} />
}

type BalanceProps = OpeningBalanceProps & { readonly store: UnitStore; readonly stored: StoredBalance }

function Balance({ student, enrolment, store, stored, onCovered }: BalanceProps) {
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
          <EnteredBy student={student} enrolment={enrolment} />
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
          enrolment={enrolment}
          store={store}
          stored={stored}
          isAdding={open === 'add'}
          onClose={() => show(undefined)}
        />
      )}
    </div>
  )
}

/** Shows the last change of the units, from the history of the student or of the training. */
function EnteredBy({ student, enrolment }: Pick<OpeningBalanceProps, 'student' | 'enrolment'>) {
  const school = useSchool()
  const { t } = useTranslation()
  const [resource, id, field] = enrolment
    ? (['enrolment', enrolment.id, 'credits'] as const)
    : (['student', student.id, 'opening_balance'] as const)
  const { data } = useInfiniteQuery(historyOf(resource, id))
  const change = data?.pages
    .flatMap(({ changes }) => changes)
    .find(({ action, after }) => action === 'changed' && after !== null && field in after)
  if (!change) return null
  const when = momentText(change.at, school)
  return <p className={css.hint}>{t('opening.enteredBy', { name: change.actor.name, when })}</p>
}
