import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The Java oracle: see oracle.js for the protocol. Reads just that JSON. */
public class Oracle {
  private final String line;
  private int at;

  private Oracle(String line) {
    this.line = line;
  }

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
    for (String line; (line = in.readLine()) != null; ) {
      Oracle request = new Oracle(line);
      request.key("\"p\":");
      String pattern = request.string();
      request.key("\"s\":[");
      List<String> strings = new ArrayList<>();
      while (line.charAt(request.at) != ']') {
        strings.add(request.string());
        if (line.charAt(request.at) == ',') {
          request.at++;
        }
      }
      out.println(answer(pattern, strings));
    }
  }

  private static String answer(String pattern, List<String> strings) {
    try {
      Pattern p = Pattern.compile(pattern);
      StringBuilder b = new StringBuilder();
      for (String s : strings) {
        b.append(b.length() == 0 ? "" : ",").append(p.matcher(s).find());
      }
      return "{\"m\":[" + b + "]}";
    } catch (Throwable e) {
      return "{\"e\":" + quote(String.valueOf(e.getMessage())) + "}";
    }
  }

  private void key(String k) {
    at = line.indexOf(k, at) + k.length();
  }

  private String string() {
    StringBuilder b = new StringBuilder();
    for (at++; line.charAt(at) != '"'; at++) {
      char c = line.charAt(at);
      if (c == '\\') {
        c = line.charAt(++at);
        if (c == 'u') {
          c = (char) Integer.parseInt(line.substring(at + 1, at + 5), 16);
          at += 4;
        }
      }
      b.append(c);
    }
    at++;
    return b.toString();
  }

  private static String quote(String s) {
    StringBuilder b = new StringBuilder("\"");
    for (char c : s.toCharArray()) {
      if (c >= ' ' && c < 0x7f && c != '"' && c != '\\') {
        b.append(c);
      } else {
        b.append(String.format("\\u%04x", (int) c));
      }
    }
    return b.append('"').toString();
  }
}
