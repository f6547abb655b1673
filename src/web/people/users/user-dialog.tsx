import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SchoolUser } from '../../../contract/user.ts'
import { NAME_LENGTH } from '../../../domain/ranges.ts'
import { differingFields, isChanged } from '../../ui/changed-fields.ts'
import { Confirmation } from '../../ui/dialogs/confirmation.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { SwitchField } from '../../ui/dialogs/switch-field.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { SaveNotice } from '../../ui/failure-notice.tsx'
import { useSchool } from '../../ui/school.tsx'
import { AccessPart } from './access-part.tsx'
import { AddressPart } from './address-part.tsx'
import { RoleFields } from './role-fields.tsx'
import { useChangeUser } from './use-change-user.ts'
import { trimmedUser, userFormOf } from './user-form.ts'

type UserDialogProps = { readonly user: SchoolUser; readonly onClose: () => void }

export default function UserDialog({ user, onClose }: UserDialogProps) {
  const { t } = useTranslation()
  const me = useSchool().user
  const [before] = useState(() => ({ ...userFormOf(user), may_sign: user.may_sign }))
  const [form, setForm] = useState(before)
  const [isAsking, setAsking] = useState(false)
  const basis = useRef(user)
  const { change, error, isBusy } = useChangeUser(basis, ({ name }) => t('person.saved', { name }), onClose)
  const isFilled = isChanged(form, before)
  const save = () => change(differingFields({ ...trimmedUser(form), may_sign: form.may_sign }, before))
  const isSelfDemotion = user.id === me.id && before.role === 'owner' && form.role !== 'owner'

  return (
    <>
      <FormDialog
        title={t('users.edit')}
        submit={t('action.save')}
        isBusy={isBusy}
        isBlocked={form.role === 'instructor' && form.instructor_id === null}
        isFilled={isFilled}
        onSubmit={() => (isSelfDemotion ? setAsking(true) : save())}
        onClose={onClose}
      >
        <TextField
          label={t('field.name')}
          value={form.name}
          onChange={(name) => setForm({ ...form, name })}
          maxLength={NAME_LENGTH.max}
          required
          data-autofocus
        />
        <AddressPart user={user} basis={basis} />
        <RoleFields form={form} onChange={(part) => setForm({ ...form, ...part })} />
        {form.role !== 'owner' && (
          <SwitchField
            label={t('users.maySign')}
            isOn={form.may_sign}
            onChange={(may_sign) => setForm({ ...form, may_sign })}
          />
        )}
        <AccessPart user={user} basis={basis} isFormFilled={isFilled} onClose={onClose} />
        <SaveNotice error={error} />
      </FormDialog>
      {isAsking && (
        <Confirmation
          title={t('users.demoteTitle')}
          keep={t('action.cancel')}
          act={t('users.demote')}
          isBusy={isBusy}
          error={error}
          onAct={save}
          onClose={() => setAsking(false)}
        >
          {t('users.demoteText')}
        </Confirmation>
      )}
    </>
  )
}
