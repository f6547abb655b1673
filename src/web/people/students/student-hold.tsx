import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Hold } from '../../../contract/retention.ts'
import type { Student } from '../../../contract/student.ts'
import { localNow } from '../../../domain/time-zone.ts'
import { holdOf } from '../../data/retention.ts'
import { Button } from '../../ui/button.tsx'
import { HoldDialog } from '../../ui/dialogs/hold-dialog.tsx'
import { EndHold } from '../../ui/end-hold.tsx'
import { nameOf, type School, useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import css from './student-card.module.css'

type StudentHoldProps = {
  readonly student: Student
  /** Called when the form covers the card, and when it closes. */
  readonly onCovered: (isCovered: boolean) => void
}

/** The hold of a student, with the buttons that set, change and end it. */
export function StudentHold({ student, onCovered }: StudentHoldProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { data: hold, error, isError, refetch } = useQuery(holdOf(student.id))
  const [isOpen, setOpen] = useState(false)
  const show = (isShown: boolean) => {
    setOpen(isShown)
    onCovered(isShown)
  }
  if (hold === undefined) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  const held = { student_id: student.id, name: nameOf(student) }
  return (
    <>
      <p>{hold ? holdText(hold, school, t) : t('retention.holdHint')}</p>
      <div className={css.buttons}>
        <Button onClick={() => show(true)}>{t(hold ? 'retention.changeHold' : 'retention.hold')}</Button>
        {hold && <EndHold student={held} />}
      </div>
      {isOpen && <HoldDialog student={held} hold={hold} onClose={() => show(false)} />}
    </>
  )
}

function holdText({ reason, until }: Hold, { tenant, format }: School, t: TFunction): string {
  if (until === null) return t('retention.heldOpen', { reason })
  const isOver = until < localNow(new Date(), tenant.timezone).slice(0, 10)
  return t(isOver ? 'retention.heldBefore' : 'retention.heldUntil', { reason, date: format.date(until) })
}
