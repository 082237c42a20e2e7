-- How names and texts are compared: folded for searches, by a key for lists, and cut into keys of one to three characters
-- for the search's indexes. Generated columns and indexes call these functions.

-- A search finds 'Málaga' by 'malaga': it compares texts without case, accents and the forms of letters. The letters are those
-- of fold-text.ts in packages/contract; a test compares the two. docs/decisions/0235, 0272.
-- Most names have no letter that Unicode does not decompose: one look for these letters, and for what decomposes to them,
-- says so and takes a tenth of the time.
create function fold(content text) returns text language sql immutable parallel safe as $$
  select lower(case
    when octet_length(content) = char_length(content) then content
    when content !~ '[ÆÐØÞßæðøþĐđĦħıĸŁłŉŊŋŒœŦŧƀƁƂƃƆƇƈƉƊƋƌƎƏƐƑƒƓƖƗƘƙƚƝƞƟƤƥƫƬƭƮƲƳƴƵƶǝǢǣǤǥǼǽǾǿȠȡȤȥȴȵȶȷȺȻȼȽȾȿɀɃɄɆɇɈɉɌɍɎɏɓɔɕɖɗəɛɟɠɡɦɧɨɩɫɬɭɱɲɳɵɼɽɾʂʈʉʋʐʑʝʠʱʻʼςϲᴭᴲᵊᵋᵑᵓᶝᶞᶡᶢᶤᶥᶨᶩᶬᶮᶯᶱᶳᶵᶶᶹᶼᶽẞ‐‑‒–—―‘’‛“”„‟′″‴⁗⁻₋ₔℇℏ−ⱢⱤⱥⱦⱮⱲⱳⱾⱿꞪꞬꞭꞲꟅꟸꟹꭞ︱︲﹘𐞃𐞅𐞋𐞌𐞓𐞕𐞗𐞛𐞢𐞨𐞩𐞯𝚤𝚥𝛓𝜍𝝇𝞁𝞻]'
      then regexp_replace(normalize(content, NFKD), '[\u0300-\u036F\u0640\u064B-\u065F\u0670]', '', 'g')
    else replace(replace(replace(replace(replace(replace(replace(replace(translate(
      regexp_replace(normalize(content, NFKD), '[\u0300-\u036F\u0640\u064B-\u065F\u0670]', '', 'g'),
      'ⱥȺƀɃƃƂɓƁƈƇȼȻɕðÐđĐƌƋɖƉɗƊȡɇɆɛƐəƏǝƎƒƑǥǤɠƓɡꞬħĦɦꞪɧıɨƗɩƖȷɉɈɟʝꞲƙƘłŁƚȽɫⱢɬꞭɭȴɱⱮŋŊƞȠɲƝɳȵøØɵƟɔƆƥƤĸʠɍɌɼɽⱤɾȿⱾʂꟅŧŦƫƭƬʈƮȶⱦȾʉɄʋƲⱳⱲƴƳɏɎƶƵȥȤɀⱿʐʑς‘’‛ʻʼ′“”„‟‐‒–—―−',
      'aabbbbbbcccccdddddddddddeeeeeeeeffgggggghhhhhiiiiijjjjjjkkllllllllllmmnnnnnnnnooooooppqqrrrrrrssssttttttttttuuvvwwyyyyzzzzzzzzσ''''''''''''""""------'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ß', 'ss'), 'ẞ', 'ss'), 'þ', 'th'), 'Þ', 'th')
  end)
$$;

-- A Chinese character as the one at its place by pinyin, so that these sort by pinyin in code points. Two bytes for each of
-- U+4E00 to U+9FFF: the order of ICU 78.
-- from 0139-fold-letters: pinyin_place

-- Names sort without case, accents and width, and their numbers by value: docs/decisions/0252. This is the key of any text.
-- A run of digits becomes the count of its digits without leading zeros and these digits: 9 is '19', 10 is '210'. From nine
-- digits on the count has a '9' for each nine: '90', '91', …, '98', '990'.
-- Cyrillic letters become the ones at their places in the order of CLDR's root: ґ after г, є after е, і, ї and й after и. Their
-- marks go with `fold`, so й and ї are taken out of its way, and ñ, which stands after n.
create function build_sort_key(content text) returns text language plpgsql immutable parallel safe as $$
declare
  rest text := translate(public.fold(translate(normalize(content, NFC), 'йЙїЇñÑ', E'\uE001\uE001\uE002\uE002\uE003\uE003')),
    '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789');
  marked text;
  key text := '';
  place integer;
  width integer;
  digits text;
begin
  if rest ~ '[\u0400-\u052F\uE001\uE002]' then
    rest := translate(rest,
      E'аәӕбвгґғӻҕӷдԁђԃҙеєжԫҗзԅԑѕӡԇиҋі\uE002\uE001јкқӄҡҟҝԟԛлӆԯԓԡљԉԕмӎнԩӊңӈԣҥњԋоөпԥҧҁрҏԗсԍҫтԏҭћуүұѹфхӽӿҳһԧѡѿѽѻцҵчԭҷӌҹҽҿџшщъыьҍѣэюяԙѥѧѫѩѭѯѱѳѵҩԝӏ',
      'ЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюяѐёђѓєѕіїјљњћќѝўџѠѡѢѣѤѥѦѧѨѩѪѫѬѭѮѯѰѱѲѳѴѵѶѷѸѹѺѻ');
  end if;
  rest := replace(rest, E'\uE003', E'n\uE000');
  if rest ~ '[\u4E00-\u9FFF]' then
    rest := (select string_agg(
      case when letter between E'\u4E00' and E'\u9FFF' then public.pinyin_place(letter) else letter end, '' order by nr)
      from unnest(string_to_array(
        -- The words in which ICU reads a character in another way: chóng in Chongqing, not zhòng.
        replace(replace(replace(rest, '重庆', E'虫\uE000'), '沈阳', E'弞\uE000'), '藏文', E'銺\uE000'), null)) with ordinality letters (letter, nr));
  end if;
  marked := translate(rest, '123456789', '000000000');
  loop
    place := strpos(marked, '0');
    exit when place = 0;
    marked := substr(marked, place);
    width := length(marked) - length(ltrim(marked, '0'));
    digits := ltrim(substr(rest, place, width), '0');
    key := key || left(rest, place - 1) || repeat('9', length(digits) / 9) || length(digits) % 9 || digits;
    rest := substr(rest, place + width);
    marked := substr(marked, width + 1);
  end loop;
  -- An entry of an index has at most 2,704 bytes, and a character up to four. One letter may become 18.
  return left(key || rest, 600);
end
$$;

-- The same key by shortcuts for ASCII without digits and with up to eight at its end. PostgreSQL inlines it, which takes a
-- fifteenth of the time of a call, as long as all in it is immutable: `||` of a number and a text is not.
create function sort_key(content text) returns text language sql immutable parallel safe as $$
  select case
    when octet_length(content) <> char_length(content) or char_length(content) > 600 then public.build_sort_key(content)
    when content !~ '[0-9]' then lower(content)
    when rtrim(content, '0123456789') ~ '[0-9]' or char_length(content) - char_length(rtrim(content, '0123456789')) > 8
      then public.build_sort_key(content)
    else lower(rtrim(content, '0123456789'))
      || char_length(ltrim(substr(content, char_length(rtrim(content, '0123456789')) + 1), '0'))::text
      || ltrim(substr(content, char_length(rtrim(content, '0123456789')) + 1), '0')
  end
$$;

-- Search at size. ILIKE is not leakproof, so no index serves it behind row-level security; and pg_trgm finds no letters but
-- ASCII's in a cluster of locale C. So texts are cut into keys of our own, whatever the script, and a narrow role's function
-- looks them up for the client that is set (06-lists.sql). docs/decisions/0110.
-- These are every run of one, two or three characters, as numbers that another client's same text does not have. (Three arrays
-- and no distinct: the index sorts them anyway, and this takes a third of the time.) To make a text's keys costs 0.2 ms.
create function search_keys(owner uuid, content text) returns bigint[] language sql immutable strict parallel safe cost 4000 as $$
  select array_agg(hashtextextended(substr(content, place, 1), uuid_hash_extended(owner, 0)))
    || array_agg(hashtextextended(substr(content, place, 2), uuid_hash_extended(owner, 0)))
    || array_agg(hashtextextended(substr(content, place, 3), uuid_hash_extended(owner, 0)))
  from generate_series(1, length(content)) place
$$;

-- The keys that a text with this term in it has, and few others do.
create function sought_keys(owner uuid, term text) returns bigint[] language sql immutable strict parallel safe as $$
  select array_agg(distinct hashtextextended(substr(term, place, 3), uuid_hash_extended(owner, 0)))
  from generate_series(1, greatest(length(term) - 2, 1)) place
$$;

-- Everyone who writes a row writes its keys.
grant execute on function fold, search_keys to floorcast_app, floorcast_definer, floorcast_jobs, floorcast_search;
grant execute on function pinyin_place, build_sort_key, sort_key to floorcast_app, floorcast_definer, floorcast_jobs;
grant execute on function sought_keys to floorcast_search;

-- For migrations: what a search of devices, media or playlists looks into.
-- from 0183-search-in: search_in
revoke execute on function search_in from public;
