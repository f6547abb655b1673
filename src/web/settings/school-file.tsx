import { useTranslation } from 'react-i18next'
import { localToday } from '../../domain/time-zone.ts'
import { useProved } from '../access/account/use-proved.tsx'
import { ceremonyMessage } from '../access/login/ceremony-messages.ts'
import { download } from '../data/student-files.ts'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import layout from '../ui/layout.module.css'
import { useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'

/** Downloads the whole school as one file, after a proof of identity. */
export function SchoolFile() {
  const { t } = useTranslation()
  const { timezone } = useSchool().tenant
  const { run, error, isBusy, dialog } = useProved(download, () =>
    toast({ kind: 'done', text: t('schoolFile.done') }),
  )
  const name = `school-${localToday(new Date(), timezone)}.ndjson.gz`
  return (
    <FieldGroup title={t('schoolFile.title')} hint={t('schoolFile.hint')}>
      <FailureNotice error={error} explain={ceremonyMessage} />
      <div className={layout.ending}>
        <Button isBusy={isBusy} onClick={() => run({ path: '/exports/school.ndjson.gz', name })}>
          {t('schoolFile.download')}
        </Button>
      </div>
      {dialog}
    </FieldGroup>
  )
}
