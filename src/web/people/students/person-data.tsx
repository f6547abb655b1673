import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { download } from '../../data/student-files.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import css from './student-card.module.css'

/** Downloads all stored data of a student, to read or for programs. */
export function PersonData({ studentId }: { readonly studentId: string }) {
  const { t } = useTranslation()
  const { mutate, error, isPending } = useMutation({ mutationFn: download })
  const fetchAs = (kind: string, name: string) => mutate({ path: `/students/${studentId}/data${kind}`, name })
  return (
    <>
      <p>{t('personData.hint')}</p>
      <FailureNotice error={error} />
      <div className={css.buttons}>
        <Button isBusy={isPending} onClick={() => fetchAs('.html', 'data.html')}>
          {t('personData.page')}
        </Button>
        <Button isBusy={isPending} onClick={() => fetchAs('', 'data.json')}>
          {t('personData.file')}
        </Button>
      </div>
    </>
  )
}
