import { useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NewErasure } from '../../../contract/erasure.ts'
import type { ListedStudent } from '../../../contract/student.ts'
import { useProved } from '../../access/account/use-proved.tsx'
import { ceremonyMessage } from '../../access/login/ceremony-messages.ts'
import { followNow } from '../../data/following.ts'
import { ApiProblem } from '../../data/send.ts'
import { eraseStudent } from '../../data/students.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { SwitchField } from '../../ui/dialogs/switch-field.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { nameOf } from '../../ui/school.tsx'
import { toast } from '../../ui/toasts.ts'

type EraseStudentProps = { readonly student: ListedStudent; readonly onClose: () => void }

/** Erases a student for good, after a proof of identity and, if others' texts mention the student, once these are agreed on. */
export default function EraseStudent({ student, onClose }: EraseStudentProps) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [isAgreed, setAgreed] = useState(false)
  const name = nameOf(student)
  const { run, error, isBusy, dialog } = useProved(
    (given: NewErasure) => eraseStudent(student.id, given),
    ({ state }) => {
      toast({ kind: 'done', text: t(`deleted.${state}`, { name }) })
      void followNow(client)
      void client.invalidateQueries()
      onClose()
    },
  )
  const texts = textsIn(error)
  return (
    <>
      <FormDialog
        title={t('deleted.eraseWhom', { name })}
        submit={t('deleted.erase')}
        isBusy={isBusy}
        isBlocked={reason.trim() === '' || (texts !== undefined && !isAgreed)}
        onSubmit={() => run({ reason: reason.trim(), agreed: isAgreed })}
        onClose={onClose}
      >
        <p>{t('deleted.eraseHint')}</p>
        <TextField
          label={t('deleted.reason')}
          description={t('deleted.reasonHint')}
          value={reason}
          onChange={setReason}
          maxLength={200}
          required
          data-autofocus
        />
        {texts && (
          <>
            <p>{t('deleted.mentioned', { name })}</p>
            <ul>
              {texts.map(({ resource_id, field, text }) => (
                <li key={`${resource_id} ${field} ${text}`}>{text}</li>
              ))}
            </ul>
            <SwitchField label={t('deleted.agree')} isOn={isAgreed} onChange={setAgreed} />
          </>
        )}
        <FailureNotice error={texts ? undefined : error} explain={explain} />
      </FormDialog>
      {dialog}
    </>
  )
}

function explain(error: unknown, t: TFunction): string {
  const isRoleMissing = error instanceof ApiProblem && error.is('owner_role_needed')
  return isRoleMissing ? t('deleted.roleNeeded') : ceremonyMessage(error, t)
}

type MentionedText = { readonly resource_id: string; readonly field: string; readonly text: string }

/** Returns the texts about others that mention the student, if the erasure was refused because of them. */
function textsIn(error: unknown): readonly MentionedText[] | undefined {
  if (!(error instanceof ApiProblem && error.is('mentioned_elsewhere'))) return undefined
  return error.body.params?.texts as readonly MentionedText[]
}
