import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../../contract/instructor.ts'
import { NAME_LENGTH } from '../../../domain/ranges.ts'
import { inviteUser } from '../../data/users.ts'
import { Button } from '../../ui/button.tsx'
import { isChanged } from '../../ui/changed-fields.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { EmailField, TextField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import layout from '../../ui/layout.module.css'
import { nameOf, useSchool } from '../../ui/school.tsx'
import { LinkBox } from './link-box.tsx'
import { RoleFields } from './role-fields.tsx'
import { NOBODY_YET, trimmedUser } from './user-form.ts'

const EMPTY = { ...NOBODY_YET, email: '' }
type InviteForm = typeof EMPTY

export default function InviteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { instructor } = useSchool()
  const [form, setForm] = useState(EMPTY)
  const { mutate, data, error, isPending } = useMutation({ mutationFn: inviteUser })
  const edit = (change: Partial<InviteForm>) =>
    setForm(filledIn({ ...form, ...change }, instructor.get(change.instructor_id ?? '')))
  if (data) return <Invited {...data} onClose={onClose} />
  return (
    <FormDialog
      title={t('users.invite')}
      submit={t('users.inviteSubmit')}
      isBusy={isPending}
      isBlocked={form.role === 'instructor' && form.instructor_id === null}
      isFilled={isChanged(form, EMPTY)}
      onSubmit={() => mutate({ email: form.email, ...trimmedUser(form) })}
      onClose={onClose}
    >
      <RoleFields form={form} onChange={edit} />
      <TextField
        label={t('field.name')}
        value={form.name}
        onChange={(name) => edit({ name })}
        maxLength={NAME_LENGTH.max}
        required
        data-autofocus
      />
      <EmailField
        label={t('login.email')}
        value={form.email}
        onChange={(email) => edit({ email })}
        autoComplete="off"
      />
      <FailureNotice error={error} />
    </FormDialog>
  )
}

/** Fills in the instructor's name and address, unless others have been typed. */
function filledIn(form: InviteForm, chosen: Instructor | undefined): InviteForm {
  if (!chosen) return form
  return { ...form, name: form.name || nameOf(chosen), email: form.email || (chosen.email ?? '') }
}

type InvitedProps = Awaited<ReturnType<typeof inviteUser>> & { readonly onClose: () => void }

function Invited({ user, invitation, onClose }: InvitedProps) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('users.invitedDone', { name: user.name })} onClose={onClose} closeOnClickOutside={false}>
      <LinkBox user={user} link={invitation} />
      <div className={layout.ending}>
        <Button look="primary" onClick={onClose}>
          {t('users.done')}
        </Button>
      </div>
    </Dialog>
  )
}
