import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { continueAtSchool, ownSchools } from '../../data/own-schools.ts'
import type { SecondStepNeeds } from '../../data/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { useDiscardQuestion } from '../../ui/discard-question.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import page from '../../ui/page.module.css'
import { unsent } from '../../ui/unsent.ts'
import { SecondStep } from '../login/second-step.tsx'
import css from './account-page.module.css'

/** The schools of the login; hidden if there is only one. */
export function SchoolSection() {
  const { t } = useTranslation()
  const { data: schools = [] } = useQuery(ownSchools)
  const [needs, setNeeds] = useState<SecondStepNeeds>()
  const { mutate, error, isPending } = useMutation({ mutationFn: continueAtSchool, onSuccess: setNeeds })
  const { leave, question } = useDiscardQuestion()
  // Logging in as another user deletes them.
  const hasUnsent = unsent.use() > 0
  if (schools.length < 2) return null
  return (
    <section className={css.group} aria-labelledby="account-schools">
      <h2 id="account-schools">{t('account.schools')}</h2>
      <p className={page.dimmed}>{t('account.schoolsHint')}</p>
      <FailureNotice error={error} />
      <ul>
        {schools.map((school) => (
          <li key={school.id} className={css.row}>
            <p className={css.what}>
              <strong>{school.name}</strong>
              {school.is_current && ` · ${t('account.thisSchool')}`}
            </p>
            {!school.is_current && (
              <Button disabled={isPending || hasUnsent} onClick={() => leave(() => mutate(school))}>
                {t('account.switchTo', { school: school.name })}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {question}
      {needs !== undefined && (
        <Dialog title={t('account.schools')} onClose={() => setNeeds(undefined)}>
          <SecondStep needs={needs} onBack={() => setNeeds(undefined)} />
        </Dialog>
      )}
    </section>
  )
}
