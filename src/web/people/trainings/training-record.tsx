import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Enrolment } from '../../../contract/enrolment.ts'
import type { Student } from '../../../contract/student.ts'
import { hindranceIn, printConfirmation, printRecord, recordOfEnrolment } from '../../data/records.ts'
import { GapList, gapText } from '../../records/gap-list.tsx'
import { PrintButton } from '../../records/print-button.tsx'
import { useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { SignRecord } from './sign-record.tsx'
import css from './trainings.module.css'

type TrainingRecordPartProps = {
  readonly student: Student
  readonly enrolment: Enrolment
  /** Called when a form covers the card, and when it closes. */
  readonly onCovered: (isCovered: boolean) => void
}

const PARTS = ['theory', 'practice'] as const

/** The gaps of a training's record, with the record and the confirmations as documents. */
export function TrainingRecordPart({ student, enrolment, onCovered }: TrainingRecordPartProps) {
  const enrolmentId = enrolment.id
  const school = useSchool()
  const { t } = useTranslation()
  const { data: record, error, isError, refetch } = useQuery(recordOfEnrolment(enrolmentId))
  if (!record) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  const hasGearbox = record.totals.some(({ requirement }) => requirement === 'MANUAL_GEARBOX')
  const parts = hasGearbox ? ([...PARTS, 'gearbox'] as const) : PARTS
  return (
    <div className={css.papers}>
      {record.gaps.length === 0 ? (
        <p className={css.good}>{t('records.noGaps')}</p>
      ) : (
        <GapList gaps={record.gaps} />
      )}
      <div className={css.documents}>
        <SignRecord {...{ student, enrolment, record, onCovered }} />
        <PrintButton text={t('records.pdf')} print={() => printRecord(enrolmentId)} />
        {parts.map((part) => (
          <PrintButton
            key={part}
            text={t('records.confirm', { part: t(`records.part.${part}`) })}
            print={() => printConfirmation(enrolmentId, part)}
            explain={(error) => {
              const gaps = hindranceIn(error).map((gap) => gapText(gap, school, t))
              return gaps.length > 0
                ? t('records.notConfirmed', { gaps: [...new Set(gaps)].join(', ') })
                : undefined
            }}
          />
        ))}
      </div>
    </div>
  )
}
