import { Type } from 'typebox'
import { examRulesOf } from '../../booking/packs/packs.ts'
import { LicenseClassTemplateSchema } from '../../contract/license-class-template.ts'
import { listLicenseClassTemplates } from '../../db/school/license-class-templates.ts'
import { localToday } from '../../domain/time-zone.ts'
import { operation } from '../operation.ts'
import { sendList } from '../responses/list-reply.ts'
import { lists } from '../route-schemas.ts'
import type { App, Service } from '../service.ts'

const valid_on = Type.String({
  format: 'local-date-or-all',
  description: 'Lists the templates that are the law on this day instead of today, or `all`.',
})

/** Routes for licence class templates, read-only because the country's pack defines them. */
export function licenseClassTemplateRoutes(app: App, { db }: Service): void {
  app.get(
    '/license-class-templates',
    operation('catalogue', {
      permission: 'see_the_catalogue',
      operationId: 'listLicenseClassTemplates',
      summary: 'List the licence class templates with their requirements',
      description:
        "Use it to choose the class of a student. Templates come from the country's pack and cannot be changed. Listed are those that are the law today and those that students still have: a student keeps the template that they began with.",
      returns: 'The templates in the order of the pack, or a page of them.',
      ...lists(LicenseClassTemplateSchema, { valid_on: Type.Optional(valid_on) }),
    }),
    async (request, reply) => {
      const { id, country, timezone } = request.actor.tenant
      const { valid_on: day = localToday(request.actor.now, timezone) } = request.query
      const rules = examRulesOf(country)
      return sendList(request, reply, listLicenseClassTemplates(db, id, rules, day === 'all' ? null : day))
    },
  )
}
