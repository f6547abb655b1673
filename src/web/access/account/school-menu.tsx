import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { continueAtSchool, ownSchools } from '../../data/own-schools.ts'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { unsent } from '../../ui/unsent.ts'

type SchoolMenuProps = {
  /** Calls `act` unless the user chooses to keep unsaved input. */
  readonly onLeave: (act: () => void) => void
  readonly onClose: () => void
}

/** Menu entries to switch to the user's other schools. If a school requires a second factor, the entry opens the account page. */
export default function SchoolMenu({ onLeave, onClose }: SchoolMenuProps): ReactNode {
  const { t } = useTranslation()
  const { data: schools = [] } = useQuery(ownSchools)
  const { mutate, error, isPending } = useMutation({ mutationFn: continueAtSchool })
  // Logging in as another user deletes them.
  const hasUnsent = unsent.use() > 0
  return (
    <>
      {schools
        .filter(({ is_current }) => !is_current)
        .map((school) =>
          school.second_factor ? (
            <Link key={school.id} to="/account" onClick={onClose}>
              {t('account.switchTo', { school: school.name })}
            </Link>
          ) : (
            <button
              key={school.id}
              type="button"
              disabled={isPending || hasUnsent}
              onClick={() => onLeave(() => mutate(school))}
            >
              {t('account.switchTo', { school: school.name })}
            </button>
          ),
        )}
      <FailureNotice error={error} />
    </>
  )
}
