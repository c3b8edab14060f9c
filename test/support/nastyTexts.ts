/** Texts that are nasty to something: to URIs, to UTF-8, to patterns, to calendars, to SQL, to JSON, to headers. */

const words = (text: string) => text.trim().split(/ +|\n\s*/)

/** Unpaired surrogates, and characters that change their length or their kind when they are normalised. */
const unicode = [
  ...words(
    '\udfff \ud800 \udbff \udc00 \udc00\ud800 a\ud83d \ude00a \ud83d\ud83d\ude00 \ufffe \uffff \u{10ffff}',
  ),
  ...words('\0 a\0b \u0001 \u001b[31m \u007f \u{1f600} \u200b \u200d \u202e \u2066 \u00ad \u3164 \u{e0001}'),
  ...words('ẞ ß İ ı ſ ﬃ \ufdfa \u0345 Н ９ ½ ᄀ 가 ٣ \u00c3 \u00ff'),
  '\u0085',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\u0300'.repeat(50),
  '\ufdfa'.repeat(50),
]

const uris = words(String.raw`
  % %% %0 %zz %ff %00 %ED%A0%80 %C3 %2F %252F %u0041 + & = ? # / // \ . .. ../.. ./ /..%2f #/ ~ ~0 ~2 ://
  http://[ http://h:99999/ //[ javascript: file:///etc/passwd data:,x http://é/ :: [::1 C:\con @ h:80:80`)

const patterns = words(String.raw`
  ( ) [ ] { } * +? | ^$ (?< (?<= \1 \p{ [z-a] (a+)+$ {9,1} \u{110000} (?i) .*.*.*.*=`)

const moments = words(`
  2026-02-30 2026-13-01 0000-01-01 0001-01-01 9999-12-31 +010000-01-01 -000001-01-01 275760-09-14
  2026-03-31T24:00:00Z 2026-03-31T08:00:60Z 0000-01-01T00:00:00Z 2026-02-29T00:00:00Z 2026-03-31T08:00Z
  9999-12-31T23:59:59-23:59 0001-01-01T00:00:00+23:59 2026-01-01T00:00:00+23:59 2026-01-01T00:00:00-00:00
  2026-01-01T00:00:00.123456789012345678901234567890Z 2026-01-01t00:00:00z now infinity epoch 24:00`)

const numbers = words(`
  NaN Infinity -Infinity 1e400 -1e400 1e-400 -0 0x10 0b1 1_000 1n 00 1. .1 -1 1e21 9007199254740993
  9223372036854775807 9223372036854775808 18446744073709551616 2147483648 99999999999999999999999999`)

const names = words(`
  __proto__ constructor prototype toString valueOf hasOwnProperty toJSON then length null undefined true
  $ref $where $1 $& id companyId`)

const languages = words(String.raw`
  ' ';-- " \' E'\0' $$ '/**/OR/**/1=1 %_ \x00 {} [] {" [1 "\ud800" {"a":1} ["\u0000"] < & ]]> <!-- &#0;
  <script> =1+1 @SUM(A1) -1+1 1/0 [][0] {}.a chemistry.x a.matches("(") "\ "a".size() b"\xff" @import`)

const headers = [
  ...words(
    'é "a a";filename="b UTF-8\'\'%ff a;b=c , ,, bytes= bytes=0- bytes=-1 bytes=9-1 bytes=0-0,2-2 W/" W/""',
  ),
  ...words(
    'bytes=99999999999999999999- text/html;q=x */*;q=0 application/json;charset=\ud800 gzip;q=1e9 Bearer',
  ),
  ...words(
    '00-0-0-0 sha-256=:: sha-256=:AAAA: a=b;a=c con nul.txt .htaccess a.pdf.exe -rf ~root a=b;Path=/;a',
  ),
  '',
  ' ',
  '  a  ',
  '\t',
  '\r\n',
  'a\r\nX: y',
  'Bearer ..',
  'Basic Og==',
]

const long = [
  'a'.repeat(50),
  'a'.repeat(51),
  `${'a'.repeat(199)}\ud83d`,
  '\u{1f600}'.repeat(100),
  '\ud800'.repeat(200),
  ...['(', '[', '!', '-'].map((sign) => sign.repeat(500)),
  '%'.repeat(100),
  '/'.repeat(250),
  ' '.repeat(300),
  'x'.repeat(5_000),
]

const all = [unicode, uris, patterns, moments, numbers, names, languages, headers, long].flat()

/** 300 different texts: those above, and some of the short ones within others. */
export const nastyTexts: readonly string[] = [
  ...new Set([...all, ...all.filter(({ length }) => length < 20).map((text) => `H 4712${text}x`)]),
].slice(0, 300)
