import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SchoolUser } from '../../../contract/user.ts'
import { Button } from '../../ui/button.tsx'
import { Deferred } from '../../ui/deferred.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { type Basis, useReadingAgain } from './use-change-user.ts'
import css from './users-page.module.css'

const loadEmailDialog = () => import('../../access/account/email-dialog.tsx')

type AddressPartProps = { readonly user: SchoolUser; readonly basis: Basis }

/** A user's address; that of an active user can be changed. */
export function AddressPart({ user, basis }: AddressPartProps) {
  const { t } = useTranslation()
  const [isChanging, setChanging] = useState(false)
  const { id, email, requested_email: requested } = user
  const onChanged = useReadingAgain(basis)
  const props = { userId: id, email, onChanged, onClose: () => setChanging(false) }
  return (
    <div>
      <TextField
        label={t('login.email')}
        description={requested && t('users.emailRequested', { email: requested })}
        value={email}
        readOnly
        variant="unstyled"
      />
      {user.state === 'active' && (
        <div className={css.actions}>
          <Button icon="edit" onClick={() => setChanging(true)}>
            {t('account.emailChange')}
          </Button>
        </div>
      )}
      {isChanging && <Deferred load={loadEmailDialog} props={props} />}
    </div>
  )
}
