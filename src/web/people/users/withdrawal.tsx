import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SchoolUser } from '../../../contract/user.ts'
import { withdrawInvitation } from '../../data/users.ts'
import { Button } from '../../ui/button.tsx'
import { Confirmation } from '../../ui/dialogs/confirmation.tsx'
import { toast } from '../../ui/toasts.ts'

type WithdrawalProps = { readonly user: SchoolUser; readonly onDone: () => void }

/** A button that withdraws an invitation after confirmation. */
export function Withdrawal({ user, onDone }: WithdrawalProps) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: withdrawInvitation,
    onSuccess: () => {
      toast({ kind: 'done', text: t('users.withdrawn', { name: user.name }) })
      onDone()
    },
  })
  return (
    <>
      <Button look="remove" onClick={() => setAsking(true)}>
        {t('users.withdraw')}
      </Button>
      {isAsking && (
        <Confirmation
          title={t('users.withdrawTitle', { name: user.name })}
          keep={t('action.cancel')}
          act={t('users.withdraw')}
          isBusy={isPending}
          error={error}
          onAct={() => mutate(user)}
          onClose={() => setAsking(false)}
        >
          {t('users.withdrawText', { name: user.name })}
        </Confirmation>
      )}
    </>
  )
}
