import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Enrolment } from '../../../contract/enrolment.ts'
import type { Student } from '../../../contract/student.ts'
import { RECORD_SIGNERS, type RecordSigner, type TrainingRecord } from '../../../domain/training-record.ts'
import { recordOfEnrolment } from '../../data/records.ts'
import { ApiProblem } from '../../data/send.ts'
import { type GivenSignature, signRecord } from '../../data/signatures.ts'
import { SignDialog } from '../../signing/sign-dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { problemMessage } from '../../ui/problem-messages.ts'
import { nameOf, useSchool } from '../../ui/school.tsx'

type SignRecordProps = {
  readonly student: Student
  readonly enrolment: Enrolment
  readonly record: TrainingRecord
  readonly onCovered: (isCovered: boolean) => void
}

/** Buttons for the signatures that the record of an ended training still lacks, on a device of the school. */
export function SignRecord({ student, enrolment, record, onCovered }: SignRecordProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const client = useQueryClient()
  const [signer, setSigner] = useState<RecordSigner>()
  const shown = recordOfEnrolment(enrolment.id)
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: ({ as, ...given }: GivenSignature & { readonly as: RecordSigner }) =>
      signRecord(enrolment.id, { as, digest: record.digest, ...given }),
    onSuccess: () => open(undefined),
    onSettled: () => client.invalidateQueries(shown),
  })
  const open = (next: RecordSigner | undefined) => {
    reset()
    setSigner(next)
    onCovered(next !== undefined)
  }
  const hasEnded = enrolment.ends_on !== null || enrolment.practice_ended_on !== null
  const isSigned = (one: RecordSigner) =>
    record.signatures.some(({ as, state }) => as === one && state === 'valid')
  const due = hasEnded ? RECORD_SIGNERS.filter((one) => !isSigned(one)) : []
  return (
    <>
      {due.map((one) => (
        <Button key={one} icon="edit" onClick={() => open(one)}>
          {t(`records.sign.${one}`)}
        </Button>
      ))}
      {signer && (
        <SignDialog
          title={t('records.record')}
          facts={[
            [t('field.student'), nameOf(student)],
            [t('field.license_class_template_id'), record.license_class],
            [t('records.sign.lessons'), String(record.theory.length + record.practice.length)],
            [t('records.sign.digest'), record.digest.slice('sha256:'.length).slice(0, 12)],
          ]}
          name={signer === 'student' ? nameOf(student) : school.user.name}
          problem={error ? explained(error, t) : undefined}
          isBusy={isPending}
          onSign={(given) => mutate({ as: signer, ...given })}
          onClose={() => open(undefined)}
        />
      )}
    </>
  )
}

function explained(error: Error, t: TFunction): string {
  if (error instanceof ApiProblem && error.is('record_changed')) return t('records.sign.changed')
  if (error instanceof ApiProblem && error.is('forbidden')) return t('records.sign.forbidden')
  return problemMessage(error, t)
}
