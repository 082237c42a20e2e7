import type { ReportName } from '@floorcast/contract/reports.ts'
import { alert1, alert2, alert3 } from './alert-report-queries.ts'
import { s2ext, statetx } from './connectivity-report-queries.ts'
import { r2, r3 } from './plays-report-queries.ts'
import { s1ext } from './publication-report-queries.ts'
import { tags } from './tags-report-queries.ts'
import { proof } from './proof-report-queries.ts'
import { rights } from './rights-report-queries.ts'
import { r1ext } from './single-plays-report-queries.ts'
import type { MakeReport } from './report.ts'

/** The statements of the reports; each report is a line here. */
export const makers: Readonly<Record<ReportName, MakeReport>> = {
  statetx,
  r1ext,
  r2,
  r3,
  s1ext,
  s2ext,
  alert1,
  alert2,
  alert3,
  tags,
  rights,
  proof,
}
