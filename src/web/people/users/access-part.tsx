import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SchoolUser } from '../../../contract/user.ts'
import { makePasswordLink } from '../../data/users.ts'
import { Button } from '../../ui/button.tsx'
import { Confirmation } from '../../ui/dialogs/confirmation.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { FieldGroup } from '../../ui/field-group.tsx'
import group from '../../ui/group.module.css'
import { Notice } from '../../ui/notice.tsx'
import { useSchool } from '../../ui/school.tsx'
import { Correction } from './correction.tsx'
import { LinkBox } from './link-box.tsx'
import { type Basis, useChangeUser, useReadingAgain } from './use-change-user.ts'
import { mailText, stateText } from './user-texts.ts'
import css from './users-page.module.css'
import { Withdrawal } from './withdrawal.tsx'

type AccessPartProps = {
  readonly user: SchoolUser
  readonly basis: Basis
  /** Whether the dialog has unsaved input, which keeps it open. */
  readonly isFormFilled: boolean
  readonly onClose: () => void
}

/** Shows whether the user can log in, with buttons that send another link and lock the user out. */
export function AccessPart(props: AccessPartProps) {
  const { user, basis, onClose } = props
  const school = useSchool()
  const { t } = useTranslation()
  const [isCorrecting, setCorrecting] = useState(false)
  const readAgain = useReadingAgain(basis)
  const making = useMutation({
    mutationFn: makePasswordLink,
    onSuccess: async () => {
      await readAgain()
      setCorrecting(false)
    },
  })
  const { mutate, data: link, error, isPending, variables } = making
  const isInvited = user.state === 'invited'
  const undelivered = mailText(user, t)
  return (
    <FieldGroup title={t('users.state')}>
      <p className={group.hint}>
        <strong>{stateText(user, school, t)}</strong>
        {!link && !user.disabled && ` · ${t(isInvited ? 'users.newLinkHint' : 'users.resetLinkHint')}`}
      </p>
      {!link && undelivered && (
        <Notice kind="bad" title={undelivered}>
          {t(isInvited ? 'users.mailHint' : 'users.mailResetHint', { email: user.email })}
        </Notice>
      )}
      {link && <LinkBox user={{ ...user, email: variables?.email ?? user.email }} link={link} />}
      {!isCorrecting && <FailureNotice error={error} />}
      <div className={css.actions}>
        {!link && !user.disabled && (
          <Button icon="mail" isBusy={isPending} onClick={() => mutate({ user })}>
            {t(undelivered ? 'users.sendAgain' : isInvited ? 'users.newLink' : 'users.resetLink')}
          </Button>
        )}
        {isInvited && !link && (
          <Button icon="edit" onClick={() => setCorrecting(true)}>
            {t('users.correct')}
          </Button>
        )}
        {isInvited && <Withdrawal user={user} onDone={onClose} />}
        <Lock {...props} />
      </div>
      {isCorrecting && (
        <Correction
          user={user}
          isBusy={isPending}
          error={error}
          onCorrect={(email) => mutate({ user, email })}
          onClose={() => setCorrecting(false)}
        />
      )}
    </FieldGroup>
  )
}

/** A button that disables the user after confirmation, or enables them. */
function Lock({ user, basis, isFormFilled, onClose }: AccessPartProps) {
  const { t } = useTranslation()
  const me = useSchool().user
  const [isAsking, setAsking] = useState(false)
  const message = (changed: SchoolUser) =>
    t(changed.disabled ? 'users.locked' : 'users.unlocked', { name: changed.name })
  const { change, error, isBusy } = useChangeUser(basis, message, () => {
    setAsking(false)
    if (!isFormFilled) onClose()
  })
  return (
    <>
      {user.disabled ? (
        <Button isBusy={isBusy} onClick={() => change({ disabled: false })}>
          {t('users.unlock')}
        </Button>
      ) : (
        <Button look="remove" onClick={() => setAsking(true)}>
          {t('users.lock')}
        </Button>
      )}
      {!isAsking && <FailureNotice error={error} />}
      {isAsking && (
        <Confirmation
          title={t('users.lockTitle', { name: user.name })}
          keep={t('action.cancel')}
          act={t('users.lock')}
          isBusy={isBusy}
          error={error}
          onAct={() => change({ disabled: true })}
          onClose={() => setAsking(false)}
        >
          {user.id === me.id ? t('users.lockSelf') : t('users.lockText', { name: user.name })}
        </Confirmation>
      )}
    </>
  )
}
